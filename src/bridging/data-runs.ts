/**
 * Takes data out of text: pictures and other files as base64 or hexadecimal digits, in one run or wrapped into lines. To a model they are
 * thousands of tokens that say nothing.
 */

/** A run shorter than this may be a word: the longest common one, a SHA-512 in hexadecimal, has 128 digits. */
export const LEAST_DATA = 512
/** `data:image/png;base64,…` says itself that it is data. */
const LEAST_DECLARED = 60
/** Wrapped base64 has lines of 60 to 76 characters; every probe of the search skips as many. */
const LINE = { from: 60, to: 76 }
/** Of data: how many different characters it has at least, and which share of it may be what paths and rules are made of. */
const LEAST_DIFFERENT = 12
const MOST_MARKS = 1 / 8
const SAMPLE = 512

const DATA = new Uint8Array(128)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-') DATA[char.charCodeAt(0)] = 1

export interface WithoutData {
  readonly text: string
  readonly images: number
  /** Characters that were left out, those of images among them. */
  readonly left: number
}

/** What stands in place of data says what it was: `[image]`, `[base64, 12 kB left out]`. A text without data comes back as it is. */
export function withoutData(text: string, least = LEAST_DATA): WithoutData {
  let kept = ''
  let from = 0
  let images = 0
  let left = 0
  for (const [start, end] of runs(text)) {
    const declared = DECLARED.exec(text.slice(Math.max(start - 100, from), start))
    if (end - start < (declared === null ? least : LEAST_DECLARED) || !isData(text.slice(start, start + SAMPLE))) continue
    const isImage = declared?.[1]?.toLowerCase() === 'image'
    const begin = isImage ? start - (declared?.[0].length ?? 0) : start
    kept += text.slice(from, begin) + (isImage ? '[image]' : note(text, start, end))
    if (isImage) images++
    left += end - begin
    from = end
  }
  return from === 0 ? { text, images, left } : { text: kept + text.slice(from), images, left }
}

const DECLARED = /data:([a-z]+)\/[a-z0-9.+-]+(?:;[a-z0-9=._-]+){0,3};base64,$/i

function note(text: string, start: number, end: number): string {
  const kind = /^[0-9a-fA-F]+$/.test(text.slice(start, start + SAMPLE)) ? 'hex' : 'base64'
  return `[${kind}, ${Math.max(1, Math.round((end - start) / 1000))} kB left out]`
}

/** Stretches of at least a line of data characters, with the line breaks between lines of one length. */
function* runs(text: string): Generator<readonly [start: number, end: number]> {
  let at = 0
  while (at + LINE.from <= text.length) {
    let back = at + LINE.from - 1
    while (back >= at && isDataAt(text, back)) back--
    if (back >= at) {
      at = back + 1
      continue
    }
    const start = at
    let end = runEnd(text, start)
    const length = end - start
    if (length <= LINE.to) {
      for (let next = afterBreak(text, end); next > 0; next = afterBreak(text, end)) {
        const lineEnd = runEnd(text, next, next + length + 1)
        if (lineEnd === next || lineEnd - next > length) break
        end = lineEnd
        if (lineEnd - next < length) break // The last line.
      }
    }
    yield [start, end]
    at = end + 1
  }
}

function runEnd(text: string, start: number, most = text.length): number {
  let end = start
  while (end < text.length && end < most && isDataAt(text, end)) end++
  return end
}

/** Where the next line begins, the break raw or escaped as in JSON; 0 where none follows. */
function afterBreak(text: string, at: number): number {
  for (const lineBreak of ['\n', '\r\n', '\\n', '\\r\\n']) if (text.startsWith(lineBreak, at)) return at + lineBreak.length
  return 0
}

function isDataAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code < 128 && DATA[code] === 1
}

/** A rule of dashes, a path and a sequence of four letters are none. */
function isData(sample: string): boolean {
  const marks = sample.replace(/[A-Za-z0-9+=\n\r\\]/g, '').length
  return /\d/.test(sample) && /[A-Za-z]/.test(sample) && marks < sample.length * MOST_MARKS && new Set(sample).size >= LEAST_DIFFERENT
}
