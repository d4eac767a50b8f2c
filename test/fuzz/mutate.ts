/** Damage as it happens to records, and as nobody expects it: what a parser must survive. */
import type { Random } from '../helpers/random.ts'

/** Values that no host writes, as JSON. */
const ODD: readonly string[] = [
  ...['null', 'true', 'false', '0', '-1', '1e308', '-1e308', '1e999', '9007199254740993', '18446744073709551616', '0.1e-400'],
  ...['""', '" "', '"\\u0000"', '"a\\u0000b"', '"\\ud800"', '"\\udfff x"', '"\\n\\r\\t"', '"__proto__"', '"undefined"', '"NaN"'],
  ...['"2026-13-45T99:99:99Z"', '"-271821-04-20T00:00:00.000Z"', '"+275760-09-13T00:00:00.001Z"', '"1970-01-01"'],
  ...['[]', '{}', '[[]]', '[null]', '[{}]', '[[[[["x"]]]]]', '{"__proto__":{"text":"x"}}', '{"constructor":{"prototype":null}}'],
  ...['{"toString":1,"valueOf":null,"hasOwnProperty":"x"}', '{"length":-1}', '{"then":"x"}', '{"toJSON":1}', '{"type":{"type":[]}}'],
]
const KEYS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'length',
  'then',
  '',
  '\u0000',
  '0',
  'type',
  'text',
  'content',
  'id',
]
const DEEP = 3_000
const LONG = 60_000

/** A line with damage in it, never a newline. `others` are lines from which parts are taken. */
export function mutateLine(line: string, others: readonly string[], random: Random): string | Uint8Array {
  switch (random.below(10)) {
    case 0:
      return line.slice(0, random.below(line.length))
    case 1:
      return line.slice(random.below(line.length))
    case 2: {
      const other = random.pick(others)
      return line.slice(0, random.below(line.length)) + other.slice(random.below(other.length))
    }
    case 3:
      return noise(Buffer.from(line), random)
    case 4:
      return random.pick([
        `[${line}]`,
        `${line}${random.pick(others)}`,
        JSON.stringify(line),
        `{"type":${line}}`,
        `${line},`,
        `\0\0${line}`,
      ])
    default:
      return json(mutateValue(parsed(line), random))
  }
}

/** Single bytes changed, put in and taken out, invalid UTF-8 among them; no newline. */
export function noise(bytes: Buffer, random: Random): Buffer {
  const result = [...bytes]
  for (let left = 1 + random.below(6); left > 0; left--) {
    const byte = random.below(256)
    result.splice(random.below(result.length + 1), random.below(3), byte === 10 ? 0 : byte)
  }
  return Buffer.from(result)
}

/** Stands in a JSON text for a raw part that `JSON.stringify` would not write. */
class Raw {
  readonly json: string
  constructor(json: string) {
    this.json = json
  }
}

/** An object that may have a key twice, or `__proto__` as one. */
class Fields {
  readonly entries: (readonly [string, unknown])[]
  constructor(entries: (readonly [string, unknown])[]) {
    this.entries = entries
  }
}

/** A value with one to three things in it replaced, left out, renamed or wrapped. */
function mutateValue(value: unknown, random: Random): unknown {
  let result = value
  for (let left = 1 + random.below(3); left > 0; left--) result = change(result, random)
  return result
}

function change(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Raw || random.next() < 0.08) return replacement(value, random)
  if (Array.isArray(value)) {
    const at = random.below(value.length)
    return value.map((inner, i) => (i === at ? change(inner, random) : inner))
  }
  const entries = value instanceof Fields ? [...value.entries] : Object.entries(value)
  if (entries.length === 0) return replacement(value, random)
  const at = random.below(entries.length)
  const [key, inner] = entries[at]!
  const kind = random.next()
  if (kind < 0.12) entries.splice(at, 1)
  else if (kind < 0.2) entries[at] = [random.pick(KEYS), inner]
  else entries[at] = [key, change(inner, random)]
  return new Fields(entries)
}

function replacement(value: unknown, random: Random): unknown {
  const kind = random.next()
  if (kind < 0.004) return new Raw(`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`)
  if (kind < 0.008) return new Raw(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`)
  if (kind < 0.012) return random.pick(['xyz', 'ab ', '\ud83d\ude42', '<a>', '\\"']).repeat(LONG / 3)
  if (kind < 0.1) return [value]
  if (kind < 0.18) return new Fields([[random.pick(KEYS), value]])
  if (kind < 0.26) return typeof value === 'string' ? value.slice(random.below(value.length + 1)) : json(value)
  return new Raw(random.pick(ODD))
}

/** `JSON.stringify` with raw parts. */
function json(value: unknown): string {
  if (value instanceof Raw) return value.json
  if (Array.isArray(value)) return `[${value.map(json).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null'
  const entries = value instanceof Fields ? value.entries : Object.entries(value)
  return `{${entries.map(([key, inner]) => `${JSON.stringify(key)}:${json(inner)}`).join(',')}}`
}

function parsed(line: string): unknown {
  return JSON.parse(line) as unknown
}
