/** Long texts keep their head and their tail: what a command printed last matters as much as how it began. */

/** How many characters stay of a text that is longer than both together. */
export interface Ends {
  readonly head: number
  readonly tail: number
}

/** The text itself where it is short enough; what was left out in its middle is said there. */
export function shorten(text: string, { head, tail }: Ends): string {
  if (text.length <= head + tail) return text
  const [first, last] = [headOf(text, head), tailOf(text, tail)]
  const middle = text.slice(first.length, text.length - last.length)
  return `${first}${leftOut(middle.length + leftOutBefore(middle))}${last}`
}

/** `ends`, or as much less that both have `most` characters: three quarters head, one quarter tail. */
export function within(ends: Ends, most: number): Ends {
  if (most >= ends.head + ends.tail) return ends
  const tail = Math.floor(most / 4)
  return { head: Math.ceil(most) - tail, tail }
}

/** What stands between a head and a tail. */
export function leftOut(characters: number): string {
  return `\n[… ${characters} characters left out …]\n`
}

/** How much more was left out of `text` before: it may have been shortened already. */
function leftOutBefore(text: string): number {
  let more = 0
  if (text.includes('[…')) for (const [note, count] of text.matchAll(NOTE)) more += Number(count) - note.length
  return more
}

const NOTE = /\n?\[… (\d{1,12}) characters left out …\]\n?/g

/** No character is cut in two. */
export function headOf(text: string, length: number): string {
  return text.slice(0, isHighSurrogate(text.charCodeAt(length - 1)) ? length - 1 : length)
}

export function tailOf(text: string, length: number): string {
  const start = Math.max(text.length - length, 0)
  return text.slice(start > 0 && isHighSurrogate(text.charCodeAt(start - 1)) ? start + 1 : start)
}

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00
}
