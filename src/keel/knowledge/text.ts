/** Text of the user's as it may stand in a section of a brief. Pure. */
import { withoutInvisible } from '../../util/printable.ts'
import { encodingOf } from '../../util/text-encoding.ts'

/** At most `limit` bytes, up to the end of the last whole line; a single line that is longer is cut between two characters. */
export function cutAtLine(bytes: Uint8Array, limit: number): Uint8Array {
  if (bytes.length <= limit) return bytes
  const newline = bytes.lastIndexOf(0x0a, limit - 1)
  if (newline >= 0) return bytes.subarray(0, newline + 1)
  let end = limit
  // The bytes of a character behind its first one are 10xxxxxx.
  while (end > 0 && (bytes[end]! & 0xc0) === 0x80) end--
  return bytes.subarray(0, end)
}

/**
 * At most the first `limit` bytes as text, cut at a line's end as above. UTF-16, which editors of Windows write, is told by the mark at its
 * beginning, or by the zeros beside its letters; everything else is UTF-8.
 */
export function decodedText(bytes: Uint8Array, limit: number): string {
  const encoding = encodingOf(bytes)
  if (encoding === 'utf-8') return new TextDecoder().decode(cutAtLine(bytes, limit))
  const text = new TextDecoder(encoding).decode(bytes.subarray(0, limit & ~1))
  const lineEnd = bytes.length > limit ? text.lastIndexOf('\n') : -1
  const whole = lineEnd < 0 ? text : text.slice(0, lineEnd + 1)
  return new TextDecoder().decode(cutAtLine(new TextEncoder().encode(whole), limit))
}

/** Lines end in `\n`; other control characters, and what nobody sees, are gone. */
export function plainText(text: string): string {
  return withoutInvisible(text.replace(/\r\n?/g, '\n'))
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029]+/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}

/**
 * The brief's own sections have two hashes: a heading inside of one lies below it, however it is written: `## x`, `##x`, or with a line
 * under it. One hash before a word is a tag. A line under a list, a quote or nothing is none of a heading.
 */
export function demoteHeadings(markdown: string): string {
  const lines = markdown.split('\n')
  return lines
    .flatMap((line, at) => {
      const under = underline(line)
      if (under !== undefined && isParagraph(lines[at - 1])) return []
      const level = isParagraph(line) ? underline(lines[at + 1]) : undefined
      return level === undefined ? [demoted(line)] : [`${'#'.repeat(level + 2)} ${line.trim()}`]
    })
    .join('\n')
}

function demoted(line: string): string {
  return line.replace(/^\s*(#{1,6}(?=\s|$)|#{2,})(\s?)/, (_, hashes: string) => `${'#'.repeat(Math.min(hashes.length + 2, 6))} `).trimEnd()
}

/** Headings of the other kind, lists, quotes and code. */
const NO_PARAGRAPH = /^\s*(?:#{1,6}(?:\s|$)|#{2,}|[-*+]\s|\d+[.)]\s|>|```|~~~)/

/** The level of the heading that it makes of the line above. */
function underline(line: string | undefined): 1 | 2 | undefined {
  const mark = /^\s{0,3}(?:(=+)|-+)\s*$/.exec(line ?? '')
  return mark === null ? undefined : mark[1] === undefined ? 2 : 1
}

function isParagraph(line: string | undefined): line is string {
  return line !== undefined && line.trim() !== '' && underline(line) === undefined && !NO_PARAGRAPH.test(line)
}
