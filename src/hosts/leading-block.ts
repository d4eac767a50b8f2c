/** The blocks `<tag …>…</tag>` that programs put before what a person typed. */

const OPENING = /^<([A-Za-z][\w:-]*)(?:\s[^<>]*)?>/

export interface LeadingBlock {
  readonly tag: string
  readonly inside: string
  /** What follows it, without the white space between them. */
  readonly rest: string
}

/**
 * The block at the very start of the text, where its tag is one of these. Only a complete pair is one, and only there: a person may well
 * write about `<system-reminder>`.
 */
export function leadingBlock(text: string, tags: ReadonlySet<string>): LeadingBlock | undefined {
  const opening = OPENING.exec(text)
  const tag = opening?.[1]
  if (opening === null || tag === undefined || !tags.has(tag)) return undefined
  const closing = `</${tag}>`
  const end = text.indexOf(closing, opening[0].length)
  if (end < 0) return undefined
  return { tag, inside: text.slice(opening[0].length, end).trim(), rest: text.slice(end + closing.length).trimStart() }
}
