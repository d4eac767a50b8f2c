/**
 * Wishes to forget that ActivityWatch has not carried out yet, in the embedded store's file. Each is carried out once more when a server
 * appears again, as that may have been ended before it wrote what it did; and all of them at another server. They name no text.
 */
import type { EmbeddedDatabase } from './embedded-database.ts'
import type { Forgettable } from './store.ts'
import type { Wish } from './wish.ts'

export interface PendingWish extends Wish {
  readonly id: number
}

const WISHED = 0
const DONE_ONCE = 1
const AGAIN = 2
const DONE = 3
/** Of those that were carried out; they are a few bytes each. */
export const MOST_WISHES = 1_000

/** In place of an earlier one for the same; `everything` in place of all. */
export function addWish(database: EmbeddedDatabase, { what, at }: Wish): void {
  const { field, value } = what === 'everything' ? { field: null, value: null } : what
  if (what === 'everything') database.run('delete from wishes')
  else database.run('delete from wishes where field = ? and value = ?', field, value)
  database.run('insert into wishes (field, value, at) values (?, ?, ?)', field, value, at.getTime())
  const done = `state in (${DONE_ONCE}, ${DONE})`
  database.run(`delete from wishes where ${done} and id not in (select id from wishes where ${done} order by id desc limit ?)`, MOST_WISHES)
}

/** The oldest first. */
export function pendingWishes(database: EmbeddedDatabase): PendingWish[] {
  return database
    .all(`select id, field, value, at from wishes where state in (${WISHED}, ${AGAIN}) order by id`)
    .map(({ id, field, value, at }) => ({ id: Number(id), what: meant(field, value), at: new Date(Number(at)) }))
}

export function markDone(database: EmbeddedDatabase, ids: readonly number[]): void {
  const sql = `update wishes set state = state + 1 where state in (${WISHED}, ${AGAIN}) and id in (select value from json_each(?))`
  database.run(sql, JSON.stringify(ids))
}

/** A server has appeared. */
export function doubtWishes(database: EmbeddedDatabase, isSameServer: boolean): void {
  if (isSameServer) database.run(`update wishes set state = ${AGAIN} where state = ${DONE_ONCE}`)
  else database.run(`update wishes set state = ${WISHED}`)
}

function meant(field: unknown, value: unknown): Forgettable {
  return field === null ? 'everything' : { field: String(field), value: String(value) }
}
