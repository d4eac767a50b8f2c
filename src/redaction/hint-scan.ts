/**
 * Where in a text any of many short strings stands, in any case, in one pass: three characters of each (its rarest) are looked up in a
 * table at every place of the text, and most places end there. `visit` is called with the number of a hint and where it begins, in no order.
 */
export type HintScan = (text: string, visit: (hint: number, at: number) => void) => void

/** A hint and where in it its window begins, the three characters that are looked up. */
interface Window {
  readonly hint: number
  readonly text: string
  readonly offset: number
}

/** Characters as often as they stand in English and in code, most frequent first; what is not among them is rare. */
const FREQUENT = ' etaonrisldcupmhgf-b_=ykvw/(xqzj:'
/** By the code of a character. */
const RARITY = new Uint8Array(128).fill(FREQUENT.length)
for (let rank = 0; rank < FREQUENT.length; rank++) RARITY[FREQUENT.charCodeAt(rank)] = rank

/** Three characters that stand in many words, though they look rare: any other three of a hint are better. */
const COMMON = new Set(
  'ing nam ame val key pat tok oke ken set ser use def fau lis ort por str tri rin wor ord con ect ten oun cou'.split(' '),
)

/** The table has a place for so many windows; a small part of what the processor keeps at hand. */
const SLOT_BITS = 17
/** Text is looked at in pieces that stay at hand as well. Characters. */
const PIECE = 1 << 14

/** @param hints three characters or more each, in lower case. */
export function hintScan(hints: readonly string[]): HintScan {
  const lists: Window[][] = [[]]
  /** By slot, the number of its list; 0 is the empty one. */
  const listOf = new Uint16Array(1 << SLOT_BITS)
  /** What the loop over the text reads: a byte each. */
  const occupied = new Uint8Array(1 << SLOT_BITS)
  for (const [hint, text] of hints.entries()) {
    const offset = rarestWindow(text)
    const slot = slotOf(
      ((text.charCodeAt(offset) & 0xff) << 16) | ((text.charCodeAt(offset + 1) & 0xff) << 8) | (text.charCodeAt(offset + 2) & 0xff),
    )
    if (listOf[slot] === 0) listOf[slot] = lists.push([]) - 1
    lists[listOf[slot]!]!.push({ hint, text, offset })
    occupied[slot] = 1
  }
  const piece = new Uint8Array(PIECE)
  const writer = Buffer.from(piece.buffer)

  return (text, visit) => {
    for (let from = 0; from < text.length; from += PIECE - 2) {
      // One byte a character; what that cuts off of other alphabets can only cost a look that finds nothing.
      const length = writer.write(text.slice(from, from + PIECE), 'latin1')
      for (let at = nextOccupied(piece, 0, length, occupied); at < length; at = nextOccupied(piece, at + 1, length, occupied)) {
        const list = listOf[slotOf((piece[at]! << 16) | (piece[at + 1]! << 8) | piece[at + 2]!)]!
        report(lists[list]!, text, from + at, visit)
      }
    }
  }
}

/** The first place from `at` on whose three characters have an occupied slot, or `length`. A function of its own, so that it is compiled well. */
function nextOccupied(piece: Uint8Array, at: number, length: number, occupied: Uint8Array): number {
  const end = length - 2
  if (at >= end) return length
  // The three characters move through one number, so that each is read once.
  let window = (piece[at]! << 8) | piece[at + 1]!
  for (; at < end; at++) {
    window = ((window << 8) | piece[at + 2]!) & 0xffffff
    if (occupied[slotOf(window)] !== 0) return at
  }
  return length
}

function report(windows: readonly Window[], text: string, at: number, visit: (hint: number, at: number) => void): void {
  for (const window of windows) if (stands(text, at - window.offset, window.text)) visit(window.hint, at - window.offset)
}

function stands(text: string, start: number, hint: string): boolean {
  if (start < 0 || start + hint.length > text.length) return false
  for (let i = 0; i < hint.length; i++) if (fold(text.charCodeAt(start + i)) !== hint.charCodeAt(i)) return false
  return true
}

/** Multiplicative hashing (Knuth) of three characters; the bit that tells small letters from capitals is set, whatever they are. */
function slotOf(window: number): number {
  return Math.imul(window | 0x202020, 0x1e3779b1) >>> (32 - SLOT_BITS)
}

function fold(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code
}

/** Where the three characters begin that texts have least. */
function rarestWindow(text: string): number {
  let best = 0
  let most = 0
  let first = rarityAt(text, 0)
  let second = rarityAt(text, 1)
  for (let at = 0; at + 2 < text.length; at++) {
    const third = rarityAt(text, at + 2)
    const rarity = first + second + third
    if (at === 0 || rarity > most) {
      const isCommon = COMMON.has(text.slice(at, at + 3))
      if (at === 0 || !isCommon) [best, most] = [at, isCommon ? 0 : rarity]
    }
    first = second
    second = third
  }
  return best
}

function rarityAt(text: string, at: number): number {
  return RARITY[text.charCodeAt(at)] ?? FREQUENT.length
}
