/**
 * Where in a text any of many short strings stands, in any case, in one pass. Three characters of each hint (its rarest) are looked up
 * in a table while the text is run through; most places of a text end there. `visit` is called with the number of a hint and where it
 * begins, in no order.
 */
export type HintScan = (text: string, visit: (hint: number, at: number) => void) => void

interface Window {
  readonly hint: number
  /** The hint's bytes in lower case. */
  readonly bytes: Uint8Array
  /** Where in the hint its window begins. */
  readonly offset: number
}

/** Letters as often as they stand in English and in code, most frequent first; what is not among them is rare. */
const FREQUENT = 'etaonrisldcupmhgf-b_ykvw/xqzj:'

const SLOTS = 1 << 15

/** @param hints three characters or more each. */
export function hintScan(hints: readonly string[]): HintScan {
  const windows: Window[][] = []
  const occupied = new Uint8Array(SLOTS)
  const fold = foldTable()
  for (const [hint, text] of hints.entries()) {
    const bytes = Uint8Array.from(text, (character) => fold[character.charCodeAt(0) & 0xff]!)
    const offset = rarestWindow(bytes)
    const slot = slotOf(bytes[offset]!, bytes[offset + 1]!, bytes[offset + 2]!)
    windows[slot] = [...(windows[slot] ?? []), { hint, bytes, offset }]
    occupied[slot] = 1
  }
  return (text, visit) => {
    // One byte a character, at the same place; what is cut off of other alphabets can only cost a look that finds nothing.
    const bytes = Buffer.from(text, 'latin1')
    const last = bytes.length - 2
    for (let at = 0; at < last; at++) {
      const slot = slotOf(fold[bytes[at]!]!, fold[bytes[at + 1]!]!, fold[bytes[at + 2]!]!)
      if (occupied[slot] === 0) continue
      for (const window of windows[slot]!) {
        const start = at - window.offset
        if (stands(bytes, start, window.bytes, fold)) visit(window.hint, start)
      }
    }
  }
}

function slotOf(first: number, second: number, third: number): number {
  return ((first << 10) ^ (second << 5) ^ third) & (SLOTS - 1)
}

function stands(bytes: Uint8Array, start: number, hint: Uint8Array, fold: Uint8Array): boolean {
  if (start < 0 || start + hint.length > bytes.length) return false
  for (let i = 0; i < hint.length; i++) if (fold[bytes[start + i]!] !== hint[i]) return false
  return true
}

function foldTable(): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
}

function rarestWindow(bytes: Uint8Array): number {
  const rarity = Array.from(bytes, (byte) => {
    const rank = FREQUENT.indexOf(String.fromCharCode(byte))
    return rank < 0 ? FREQUENT.length : rank
  })
  let best = 0
  let bestRarity = -1
  for (let at = 0; at + 2 < bytes.length; at++) {
    const sum = rarity[at]! + rarity[at + 1]! + rarity[at + 2]!
    if (sum > bestRarity) [best, bestRarity] = [at, sum]
  }
  return best
}
