/** Events of two stores that share some of them. Pure. */
import type { KeelEvent } from './store.ts'

/**
 * Newest first, each once, at most `limit`. Of one time, those of `newer` come first: they have not reached the other store yet, so they
 * were written later. Both are newest first.
 */
export function mergeEvents(newer: readonly KeelEvent[], older: readonly KeelEvent[], limit: number): KeelEvent[] {
  const seen = new Set<string>()
  return [...newer, ...older]
    .filter((event) => {
      const key = eventKey(event)
      return seen.has(key) ? false : seen.add(key)
    })
    .sort((a, b) => b.at.getTime() - a.at.getTime())
    .slice(0, Math.max(limit, 0))
}

/** The same for an event and its copy in another store. An event of a proposal is told by it; another one by all that it holds. */
export function eventKey({ kind, at, data }: KeelEvent): string {
  const id = data.proposal_id
  return JSON.stringify([kind, at.getTime(), typeof id === 'string' ? id : canonical(data)])
}

/** Servers give an object's fields in whatever order. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, field]) => [key, canonical(field)])
}
