/** Text of the user's as it may stand in a section of a brief. Pure. */

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

/** Lines end in `\n`; other control characters, and those that turn the direction of text, are gone. */
export function plainText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]+/g, '')
    .replace(/\p{Surrogate}/gu, '\ufffd')
    .trim()
}

/** The brief's own sections have two hashes: a heading inside of one lies below it. */
export function demoteHeadings(markdown: string): string {
  return markdown.replace(/^ {0,3}(#{1,6})(?=\s|$)/gm, (_, hashes: string) => '#'.repeat(Math.min(hashes.length + 2, 6)))
}
