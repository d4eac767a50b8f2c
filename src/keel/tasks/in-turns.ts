/** Long lists are gone through in turns, between which everything else goes on: a page must not wait for what a task tool printed. */
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Milliseconds of a turn. */
const TURN_MS = 10

/** What `make` makes of the items, in their order, until `most` are made. */
export async function inTurns<Item, Made>(items: Iterable<Item>, make: (item: Item) => Made | undefined, most: number): Promise<Made[]> {
  const all: Made[] = []
  let begun = performance.now()
  for (const item of items) {
    const made = make(item)
    if (made !== undefined) all.push(made)
    if (all.length >= most) break
    if (performance.now() - begun < TURN_MS) continue
    await nextTurn()
    begun = performance.now()
  }
  return all
}

/** What `pattern` finds (lines that hold anything), one after the other: to split half a million of them takes longer than a turn. */
export function* linesOf(text: string, pattern = /[^\n]+/g): Generator<string> {
  for (const [line] of text.matchAll(pattern)) yield line
}
