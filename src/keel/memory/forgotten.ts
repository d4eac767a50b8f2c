/** Keeps from whoever reads what was forgotten here and may still lie in ActivityWatch, or in an answer that was on its way. */
import type { KeelEvent } from './store.ts'
import { isMeant, type Wish } from './wish.ts'

export interface Forgotten {
  /** From now on nobody reads what is meant, until `carriedOut` is called; what was asked for before not even then. */
  add(wish: Wish): { carriedOut(): void }
  /** Before a read. Returns what has to be asked of its answer: whether an event is forgotten. */
  watch(): () => (event: KeelEvent) => boolean
}

/** `kept`: wishes that ActivityWatch has not carried out yet. */
export function newForgotten(kept: () => readonly Wish[], now: () => Date): Forgotten {
  const all: Wish[] = []
  const underWay = new Set<Wish>()
  const current = (): readonly Wish[] => [...kept(), ...underWay]
  return {
    add(wish) {
      all.push(wish)
      underWay.add(wish)
      return { carriedOut: () => void underWay.delete(wish) }
    },
    watch() {
      const before = current()
      const count = all.length
      return () => {
        const wishes = new Set([...before, ...all.slice(count), ...current()])
        const time = now()
        return (event) => [...wishes].some((wish) => isMeant(event, wish, time))
      }
    },
  }
}
