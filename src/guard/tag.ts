/**
 * The tag around everything that memU puts in front of an agent, and its removal from what the agent's host logged. Both ends carry
 * the installation's nonce, so that nothing in the text between them can end the block, and a conversation about the tag stays.
 */

const NAME = 'memu-recalled'
const RUN = 'memu-run'

/** `text` as one block. A mark inside it is made harmless: blocks never lie in one another. */
export function wrap(text: string, nonce: string): string {
  const { start, end } = marks(nonce)
  return `${start}\n${harmless(text, nonce)}\n${end}`
}

/** Without the nonce in its marks: then they are words like any other. */
export function harmless(text: string, nonce: string): string {
  return text.replaceAll(`${NAME}-${nonce}`, NAME)
}

/**
 * The two ends by themselves, for output that has a form of its own: JSON carries them at the start of its first value and of its last,
 * with a word behind, since a mark alone between quotation marks is talk about it.
 */
export function marks(nonce: string): { readonly start: string; readonly end: string } {
  return { start: `<${NAME}-${nonce}>`, end: `</${NAME}-${nonce}>` }
}

/** A line for the prompt of a run of ours: it tells the session of that run from one in which a person spoke, on any host. */
export function runMark(nonce: string): string {
  return `${RUN}-${nonce}: this session is work of memU's own, and nothing to learn from.`
}

/** Whether a session that begins with this message is a run of ours. */
export function isRunPrompt(text: string, nonces: readonly string[]): boolean {
  return nonces.some((nonce) => text.split('\n').some((line) => line.trimStart().startsWith(`${RUN}-${nonce}:`)))
}

export interface TextPlace {
  /**
   * Whether the beginning of the text may be missing, as of a tool's output that the host or the tool cut. Then the end of a block
   * without its start takes away what stands before it. A message is logged from its first word: there, such an end is a quotation.
   */
  readonly mayLackHead: boolean
}

/** Takes our blocks out of one record's text; a text without any is returned as it is. */
export type Stripper = (text: string, place: TextPlace) => string

/**
 * Blocks are recognised raw, HTML- or URL-escaped and JSON-escaped to any depth. One without its end reaches to the end of its own
 * record and never further. A mark directly before a quotation mark is talk about the mark and opens or closes nothing.
 */
export function stripper(nonces: readonly string[]): Stripper {
  if (nonces.length === 0) return (text) => text
  const mark = markPattern(nonces)
  return (text, { mayLackHead }) => (nonces.some((nonce) => text.includes(nonce)) ? strip(text, mark, mayLackHead) : text)
}

function strip(text: string, mark: RegExp, mayLackHead: boolean): string {
  let kept = ''
  /** Everything before it is decided. */
  let from = 0
  let isOpen = false
  /** JSON whose names were sorted: its last value stands before its first one, and memory between them. */
  let mayBeSorted = false
  for (const match of text.matchAll(mark)) {
    const end = match.index + match[0].length
    const closes = match[1] !== undefined
    if (isQuoted(text, match.index, end)) continue
    if (isOpen) {
      if (!closes) continue // Cut off, and the next one begins.
      isOpen = false
      from = end
    } else if (!closes) {
      if (!mayBeSorted) kept += text.slice(from, match.index)
      mayBeSorted = false
      isOpen = true
    } else if (mayLackHead) {
      from = end
      mayBeSorted = LAST_VALUE.test(text.slice(Math.max(match.index - QUOTE_LENGTH, 0), match.index))
    }
  }
  const all = isOpen ? kept : kept + text.slice(from)
  return all === text ? text : all.trim()
}

/** What may stand for a character in escaped text; the counts are bounded so that no input makes the search slow. */
function escaped(character: string, entity: string, hex: string): string {
  const number = Number.parseInt(hex, 16)
  return `(?:\\\\{0,16}\\${character}|&(?:amp;){0,8}(?:${entity}|#0{0,4}${number}|#x0{0,4}${hex});|\\\\{1,16}(?:u00|x)${hex}|%(?:25){0,4}${hex})`
}

/** Group 1 is there in the mark that ends a block. A record that was cut inside the mark has no `>`. */
function markPattern(nonces: readonly string[]): RegExp {
  const [open, slash, close] = [escaped('<', 'lt', '3c'), escaped('/', 'sol', '2f'), escaped('>', 'gt', '3e')]
  return new RegExp(`${open}(${slash})?${NAME}-(?:${nonces.join('|')})(?:${close}|$)`, 'gi')
}

function isQuoted(text: string, start: number, end: number): boolean {
  return OPENING_QUOTE.test(text.slice(Math.max(start - QUOTE_LENGTH, 0), start)) && CLOSING_QUOTE.test(text.slice(end, end + QUOTE_LENGTH))
}

/** What stands before the mark in the value that ends a JSON print of ours. */
const LAST_VALUE = /\bend(?:\\{0,16}["'])?\s{0,4}:\s{0,4}(?:\\{0,16}["'])?$/

const QUOTE = `(?:\\\\{0,16}["'\`]|&(?:amp;){0,8}(?:quot|apos|#0{0,4}3[49]|#x0{0,4}2[27]);)`
const OPENING_QUOTE = new RegExp(`${QUOTE}$`, 'i')
const CLOSING_QUOTE = new RegExp(`^${QUOTE}`, 'i')
/** Longer than any form of a quotation mark. */
const QUOTE_LENGTH = 64
