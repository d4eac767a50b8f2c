/** Single values of foreign rows: large ones without loading what is too large, and the JSON in them with the same leniency as in lines. */
import { type JsonObject, LINE_LIMIT, parseLine, shrinker } from '../../util/jsonl.ts'
import type { SqlValue } from '../../util/sqlite.ts'

/** A value up to this length is shortened in memory; a longer one is given up. JSON lines stream, values cannot. */
export const VALUE_LIMIT = 8 * LINE_LIMIT

/**
 * The SQL of a column whose values may be large, for `textOf` and `jsonOf`. Of one that is too long to be loaded it gives the length
 * instead. The API ends a text at its first NUL, so that one with a NUL in it, and so fewer characters than bytes, comes as bytes.
 * `name` and `as` are constants of ours, never data.
 */
export function largeValue(name: string, as = name): string {
  return `${valueOr('octet_length($)', name)} as ${as}`
}

/** The same with two columns: the value, null where it is too long, and `<as>_bytes`, its length. */
export function largeColumn(name: string, as = name): string {
  return `${valueOr('null', name)} as ${as}, octet_length(${name}) as ${as}_bytes`
}

function valueOr(tooLong: string, name: string): string {
  const isBinary = `length($) < octet_length($) and instr($, char(0)) > 0`
  const value = `case when octet_length($) > ${VALUE_LIMIT} then ${tooLong} when ${isBinary} then cast($ as blob) else $ end`
  return value.replaceAll('$', name)
}

/**
 * The SQL that goes from keys to their rows, one after the other in the order of the keys, which are given as one JSON array. SQLite sorts
 * rows with their content, and on disk where it is much; keys are sorted first and alone. In it the key is called `wanted`.
 */
export function rowsByKey(columns: string, table: string, key: string): string {
  return `select ${columns} from (select value as wanted, key as wanted_at from json_each(?)) cross join ${table} on ${key} = wanted`
}

/** The object that the value holds. Throws where it holds none, with a reason in words: the record counts as bad. */
export function jsonOf(value: SqlValue | undefined, bytes?: SqlValue): JsonObject {
  const text = asText(value)
  if (typeof text !== 'string') throw new Error(isTooLong(value, bytes) ? 'the value is too long' : 'not JSON')
  const { records, bad } = parseLine(text, () => false)
  if (records[0] === undefined) throw new Error(bad ?? 'not JSON')
  return records[0]
}

/** The text of the value, cut at the length of a line; undefined where it is null. Throws where it is too long to be loaded. */
export function textOf(value: SqlValue | undefined, bytes?: SqlValue): string | undefined {
  if (typeof value === 'string') return value.slice(0, LINE_LIMIT)
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, LINE_LIMIT)).toString('utf8')
  if (isTooLong(value, bytes)) throw new Error('the value is too long')
  return typeof value === 'number' ? String(value) : undefined
}

function isTooLong(value: SqlValue | undefined, bytes: SqlValue | undefined): boolean {
  return Math.max(Number(bytes ?? 0), typeof value === 'number' ? value : 0) > VALUE_LIMIT
}

function asText(value: SqlValue | undefined): string | undefined {
  if (value instanceof Uint8Array || (typeof value === 'string' && value.length > LINE_LIMIT)) return jsonText(value)
  return typeof value === 'string' ? value : undefined
}

/** JSON as text, the long strings in it cut where it is longer than a line may be; undefined where that does not help. */
export function jsonText(value: Uint8Array | string): string | undefined {
  const bytes = typeof value === 'string' ? Buffer.from(value) : Buffer.from(value.buffer, value.byteOffset, value.length)
  if (bytes.length <= LINE_LIMIT) return bytes.toString('utf8')
  const shrink = shrinker(LINE_LIMIT)
  shrink.push(bytes)
  return shrink.result()?.toString('utf8')
}
