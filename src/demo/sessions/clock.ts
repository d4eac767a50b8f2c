/** Times and ids of the demo's sessions: made from the day of the demo, so that the story is always four weeks old. */
import { createHash } from 'node:crypto'

const DAY_MS = 86_400_000
/** Between two records. */
const STEP_MS = 23_000

export interface Clock {
  /** ISO time of the next record. */
  next(): string
  readonly started: Date
}

/** Begins `daysAgo` days before `now`, at twenty past nine. */
export function clock(now: Date, daysAgo: number): Clock {
  const day = new Date(now.getTime() - daysAgo * DAY_MS)
  const started = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), day.getUTCDate(), 9, 20))
  let at = started.getTime()
  return {
    started,
    next() {
      at += STEP_MS
      return new Date(at).toISOString()
    },
  }
}

/** A UUID that is the same for the same words. */
export function uuidOf(...words: readonly (string | number)[]): string {
  const hex = createHash('sha256').update(words.join('\n')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
