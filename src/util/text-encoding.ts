/** In which encoding a text file is. Pure. */

/** Bytes of the beginning by which that is told. */
export const BEGINNING = 1024

/** UTF-16, which editors of Windows write, by the mark at its beginning, or by the zeros beside its letters; everything else is UTF-8. */
export function encodingOf(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const zeros = [0, 0]
  const seen = Math.min(bytes.length, BEGINNING)
  for (let at = 0; at < seen; at++) if (bytes[at] === 0) zeros[at % 2]!++
  // Of Latin letters each has one; UTF-8 has none, and what is no text has them on both sides.
  const [high, low] = zeros as [number, number]
  const enough = seen / 5
  if (low > enough && high === 0) return 'utf-16le'
  return high > enough && low === 0 ? 'utf-16be' : 'utf-8'
}
