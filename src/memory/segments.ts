/** From a recall file to the texts that are embedded and searched. */
import type { FileKey } from '../records.ts'

/** Up to three spaces of indent, one to six signs, then a blank or the end: what markdown calls a heading. */
const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/
const FENCE = /^ {0,3}(```+|~~~+)/

export interface Segmented extends FileKey {
  readonly description: string
  readonly content: string
}

/**
 * The segments of a file in order, each text once. A skill is found by what it is for: one segment of its name and description.
 * Any other file gives one for each line that is neither blank nor a heading; lines of code count like any other, `# …` in a
 * fence included. What is longer than `maxCharacters` is cut into pieces, none of it dropped.
 */
export function segmentsOf(file: Segmented, maxCharacters: number): string[] {
  const texts = file.track === 'skill' ? [`name: ${file.name}\ndescription: ${file.description}`] : lines(file.content)
  return [...new Set(texts.flatMap((text) => split(text, maxCharacters)))]
}

function lines(content: string): string[] {
  const found: string[] = []
  let fence: string | undefined
  for (const line of content.split(/\r\n|\n|\r/)) {
    const text = line.trim()
    if (text === '') continue
    const mark = FENCE.exec(line)?.[1]
    if (fence === undefined) fence = mark
    else if (mark?.[0] === fence[0] && mark!.length >= fence.length) fence = undefined
    if (fence === undefined && HEADING.test(line)) continue
    found.push(text)
  }
  return found
}

/** Pieces of at most `most` characters, cut behind a sentence, else at a blank, else anywhere but inside a surrogate pair. */
export function split(text: string, most: number): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > most) {
    const at = cutAt(rest, most)
    pieces.push(rest.slice(0, at).trim())
    rest = rest.slice(at).trimStart()
  }
  pieces.push(rest)
  return pieces.filter((piece) => piece !== '')
}

function cutAt(text: string, most: number): number {
  const window = text.slice(0, most)
  // A cut in the first half would make needlessly many pieces.
  const sentence = Math.max(...['. ', '! ', '? ', '; ', '。', '！', '？'].map((end) => window.lastIndexOf(end)))
  if (sentence > most / 2) return sentence + 1
  const blank = window.search(/\s\S*$/)
  if (blank > most / 2) return blank
  const code = text.charCodeAt(most - 1)
  // A piece has room for two code units where the limit is one: an endless loop is worse than a piece too long.
  return code >= 0xd800 && code <= 0xdbff ? Math.max(2, most - 1) : Math.max(1, most)
}
