/** What SQLite threw, as a number: the runtime's own and the package's errors look different. */

/** Primary result codes (https://www.sqlite.org/rescode.html). */
export const RESULT = {
  error: 1,
  busy: 5,
  locked: 6,
  readonly: 8,
  ioerr: 10,
  corrupt: 11,
  full: 13,
  cantopen: 14,
  protocol: 15,
  schema: 17,
  notadb: 26,
} as const

/** Some calls of @photostructure/sqlite leave the number out; the message is then SQLite's own text. */
const MESSAGES: readonly (readonly [number, string])[] = [
  [RESULT.busy, 'database is locked'],
  [RESULT.locked, 'table is locked'],
  [RESULT.readonly, 'readonly database'],
  [RESULT.ioerr, 'disk I/O error'],
  [RESULT.corrupt, 'disk image is malformed'],
  [RESULT.full, 'disk is full'],
  [RESULT.cantopen, 'unable to open database file'],
  [RESULT.protocol, 'locking protocol'],
  [RESULT.schema, 'schema has changed'],
  [RESULT.notadb, 'file is not a database'],
]

/** The primary result code of a thrown error; undefined where SQLite did not throw it. */
export function sqliteResult(error: unknown): number | undefined {
  const { code, errcode, message } = (error ?? {}) as { code?: unknown; errcode?: unknown; message?: unknown }
  if (typeof errcode === 'number') return errcode & 0xff
  if (code !== 'ERR_SQLITE_ERROR') return undefined
  const text = String(message)
  return MESSAGES.find(([, words]) => text.includes(words))?.[0] ?? RESULT.error
}
