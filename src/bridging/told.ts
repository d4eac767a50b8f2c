/** What a report says of files and sessions, without secrets: people and agents name them as they like. */

/** Every text in it, however deep, as `text` makes it; keys stay. */
export function told<T>(value: T, text: (text: string) => string): T {
  return map(value, text) as T
}

function map(value: unknown, text: (text: string) => string): unknown {
  if (typeof value === 'string') return text(value)
  if (Array.isArray(value)) return value.map((item) => map(item, text))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, map(field, text)]))
}
