/** What its user wants forgotten. Pure. */
import { latestTime } from './recency.ts'
import type { Forgettable, KeelEvent } from './store.ts'

export interface Wish {
  readonly what: Forgettable
  /** When it was wished: what happens later is not meant by `everything`. */
  readonly at: Date
}

/**
 * Of an event in ActivityWatch. What lies further ahead than clocks differ was written under a wrong one, and before the wish as far as
 * anybody can tell.
 */
export function isMeant({ at, data }: KeelEvent, wish: Wish, now: Date): boolean {
  const { what } = wish
  if (what !== 'everything') return data[what.field] === what.value
  return at <= wish.at || at.getTime() > Math.max(latestTime(now), latestTime(wish.at))
}
