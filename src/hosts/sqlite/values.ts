/** Single values of foreign rows: large ones without loading what is too large, and the JSON in them with the same leniency as in lines. */

import { shrinker } from '../../util/jsonl/shrink.ts'
import { type JsonObject, LINE_LIMIT, parseLine } from '../../util/jsonl.ts'
import type { SqlValue } from '../../util/sqlite.ts'

/** A value up to this length is shortened in memory; a longer one is given up. JSON lines stream, values cannot. */
export const VALUE_LIMIT = 8 * LINE_LIMIT

/**
 * The SQL of a column whose values may be large, as bytes, for `textOf` and `jsonOf`: the API ends a text at its first NUL. Null where it
 * is too long to be loaded; with it comes `<as>_bytes`, its length. `name` and `as` are constants of ours, never data.
 */
export function largeColumn(name: string, as = name): string {
  const size = `octet_length(${name})`
  return `case when ${size} <= ${VALUE_LIMIT} then cast(${name} as blob) end as ${as}, ${size} as ${as}_bytes`
}

/** The object that the value holds. Throws where it holds none, with a reason in words: the record counts as bad. */
export function jsonOf(value: SqlValue | undefined, bytes?: SqlValue): JsonObject {
  const text = value instanceof Uint8Array ? jsonText(value) : value
  if (typeof text !== 'string') throw new Error(tooLong(bytes) ? 'the value is too long' : 'not JSON')
  const { records, bad } = parseLine(text, () => false)
  if (records[0] === undefined) throw new Error(bad ?? 'not JSON')
  return records[0]
}

/** The text of the value, cut at the length of a line; undefined where it is null. Throws where it is too long to be loaded. */
export function textOf(value: SqlValue | undefined, bytes?: SqlValue): string | undefined {
  if (typeof value === 'string') return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, Math.min(value.length, LINE_LIMIT)).toString('utf8')
  if (tooLong(bytes)) throw new Error('the value is too long')
  return typeof value === 'number' ? String(value) : undefined
}

function tooLong(bytes: SqlValue | undefined): boolean {
  return typeof bytes === 'number' && bytes > VALUE_LIMIT
}

/** Bytes of JSON as text, the long strings in it cut where it is longer than a line may be; undefined where that does not help. */
export function jsonText(bytes: Uint8Array): string | undefined {
  if (bytes.length <= LINE_LIMIT) return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
  const shrink = shrinker(LINE_LIMIT)
  shrink.push(bytes)
  return shrink.result()?.toString('utf8')
}
