/** Events of two stores that share some of them. Pure. Those of the other store may be anybody's, and are never looked at deeper than ours. */
import type { KeelEvent } from './store.ts'

/**
 * Newest first, each once, at most `limit`. Of one time, ours come first: what the other store does not have yet was written later. Both are
 * newest first.
 */
export function mergeEvents(ours: readonly KeelEvent[], theirs: readonly KeelEvent[], limit: number): KeelEvent[] {
  const known = eventsByTime(ours)
  const seen = new Set<string>()
  const foreign = theirs.filter((event) => {
    if (known(event.at).some((own) => isSameEvent(own, event))) return false
    const name = proposalKey(event)
    return name === undefined || (!seen.has(name) && seen.add(name))
  })
  return [...ours, ...foreign].sort((a, b) => b.at.getTime() - a.at.getTime()).slice(0, Math.max(limit, 0))
}

/** Gives those of `events` that happened at a time. */
export function eventsByTime(events: readonly KeelEvent[]): (at: Date) => readonly KeelEvent[] {
  const found = new Map<number, KeelEvent[]>()
  for (const event of events) {
    const time = event.at.getTime()
    const others = found.get(time)
    if (others === undefined) found.set(time, [event])
    else others.push(event)
  }
  return (at) => found.get(at.getTime()) ?? []
}

/** Of an event and its copy in another store. An event of a proposal is told by it; another one by all that it holds. */
export function isSameEvent(ours: KeelEvent, theirs: KeelEvent): boolean {
  if (ours.kind !== theirs.kind || ours.at.getTime() !== theirs.at.getTime()) return false
  const id = ours.data.proposal_id
  return typeof id === 'string' ? theirs.data.proposal_id === id : holdsTheSame(ours.data, theirs.data)
}

function proposalKey({ kind, at, data }: KeelEvent): string | undefined {
  const id = data.proposal_id
  return typeof id === 'string' ? JSON.stringify([kind, at.getTime(), id]) : undefined
}

/** No event of ours is near it; what lies deeper is not compared. */
const DEEPEST = 100

/** Of values as JSON has them. Servers give an object's fields in whatever order. */
function holdsTheSame(ours: unknown, theirs: unknown, depth = 0): boolean {
  if (depth > DEEPEST) return true
  if (typeof ours !== 'object' || typeof theirs !== 'object' || ours === null || theirs === null) return ours === theirs
  if (Array.isArray(ours) !== Array.isArray(theirs)) return false
  const names = Object.keys(ours)
  if (names.length !== Object.keys(theirs).length) return false
  return names.every((name) => Object.hasOwn(theirs, name) && holdsTheSame(field(ours, name), field(theirs, name), depth + 1))
}

function field(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name]
}
