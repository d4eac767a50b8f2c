/** Bounds what the embedded store holds. */
import { reason } from '../../util/errors.ts'
import type { EmbeddedDatabase } from './embedded-database.ts'
import { COPIED } from './sent-column.ts'

/** One a day in use makes some ten events. */
export const MOST_EVENTS = 20_000
export const MOST_DAYS = 400
const DAY_MS = 24 * 60 * 60 * 1000
/** So many of the events that were written last have to be of a time for it to be believed. */
export const WITNESSES = 50

/**
 * Forgets what is too much, then what is too old. Too old is only what ActivityWatch has, and by no single clock: one that was ahead for a
 * start or two must not cost anything. So age counts from the earliest of the last events, and not from now where that is later. Never fails.
 */
export function prune(database: EmbeddedDatabase, now: Date, log: (line: string) => void): void {
  try {
    pruneNumber(database, log)
    pruneAge(database, now, log)
  } catch (error) {
    // What follows is a file that holds too much, until the next time.
    log(`memory: cannot forget old events (${reason(error)})`)
  }
}

function pruneNumber(database: EmbeddedDatabase, log: (line: string) => void): void {
  const excess = Number(database.all('select count(*) as n from events')[0]?.n) - MOST_EVENTS
  if (excess <= 0) return
  // Those that ActivityWatch has go first, and of these what was written first.
  database.run(`delete from events where id in (select id from events order by sent = ${COPIED} desc, id limit ?)`, excess)
  log(`memory: ${excess} event(s) are forgotten here: no more than ${MOST_EVENTS} are kept`)
}

function pruneAge(database: EmbeddedDatabase, now: Date, log: (line: string) => void): void {
  const last = database.all(
    'select count(*) as n, cast(min(at) as text) as at from (select at from events order by id desc limit ?)',
    WITNESSES,
  )[0]
  if (Number(last?.n) < WITNESSES) return
  const before = Math.min(Number(last?.at), now.getTime()) - MOST_DAYS * DAY_MS
  const aged = database.run(`delete from events where sent = ${COPIED} and at < ?`, before)
  if (aged > 0) log(`memory: ${aged} event(s) from before ${new Date(before).toISOString()} are forgotten here; ActivityWatch has them`)
}
