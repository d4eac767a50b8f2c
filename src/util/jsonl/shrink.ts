/**
 * Makes an oversized JSON line small enough to parse, byte by byte as it streams past: long base64 runs (inline images)
 * are dropped and every string is cut at a limit, so that the record and its text survive. The result is still JSON.
 */

/** A run of base64 characters longer than this is data, never words: a SHA-512 in hex has 128. */
const RUN_LIMIT = 512
/** What is kept of one string of such a line. */
const STRING_LIMIT = 1024 * 1024

/** Wrapped base64 has lines of 60 to 76 characters; lines of other lengths are lists of words. */
const WRAPPED = { from: 60, to: 76 }

const QUOTE = 0x22
const BACKSLASH = 0x5c
/** U+2026 in UTF-8: stands where something was left out. */
const ELLIPSIS = [0xe2, 0x80, 0xa6]

const BASE64 = new Uint8Array(256)
for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-') BASE64[char.charCodeAt(0)] = 1

export interface Shrinker {
  /** Takes the next bytes of the line. */
  push(bytes: Uint8Array): void
  /** The shortened line, or undefined where it is still longer than the limit. */
  result(): Buffer | undefined
}

export function shrinker(limit: number): Shrinker {
  let out = Buffer.allocUnsafe(Math.min(limit, 256 * 1024))
  let length = 0
  let overflow = false

  let inString = false
  /** Bytes kept of the current string, the length of the base64 run that ends here, and how much of it is in this line. */
  let kept = 0
  let run = 0
  let runLine = 0
  /** Bytes of the current escape sequence still to come, and whether its second byte is the next. */
  let escaped = 0
  let escapeStart = false
  /** Whether the current character is left out; decided at its first byte, so that no character is cut in two. */
  let dropping = false

  function keep(byte: number): void {
    if (length === out.length) {
      if (length >= limit) {
        overflow = true
        return
      }
      const larger = Buffer.allocUnsafe(Math.min(limit, length * 2))
      out.copy(larger, 0, 0, length)
      out = larger
    }
    out[length++] = byte
  }

  function decide(): void {
    const drop = run > RUN_LIMIT || kept >= STRING_LIMIT
    if (drop && !dropping) for (const byte of ELLIPSIS) keep(byte)
    dropping = drop
  }

  function take(byte: number): void {
    if (dropping) return
    kept++
    keep(byte)
  }

  /** At an escaped line break inside a string: the run goes on where it can be wrapped base64. */
  function breakLine(): void {
    const goesOn = runLine === 0 || (runLine >= WRAPPED.from && runLine <= WRAPPED.to)
    if (!goesOn) run = 0
    runLine = 0
  }

  function inside(byte: number): void {
    if (escaped > 0) {
      escaped--
      if (escapeStart) {
        escapeStart = false
        if (byte === 0x75) escaped = 4 // \uXXXX
        if (byte === 0x6e || byte === 0x72) breakLine()
        else if (byte !== 0x2f) run = runLine = 0 // `\/` is a base64 character
      }
      take(byte)
    } else if (byte === QUOTE) {
      inString = false
      keep(byte)
    } else if (byte === BACKSLASH) {
      decide()
      escaped = 1
      escapeStart = true
      take(byte)
    } else {
      const isData = BASE64[byte] === 1
      run = isData ? run + 1 : 0
      runLine = isData ? runLine + 1 : 0
      if ((byte & 0xc0) !== 0x80) decide() // a continuation byte of UTF-8 goes with its first byte
      take(byte)
    }
  }

  return {
    push(bytes) {
      for (let i = 0; i < bytes.length && !overflow; i++) {
        const byte = bytes[i] as number
        if (inString) {
          inside(byte)
        } else {
          keep(byte)
          if (byte === QUOTE) {
            inString = true
            kept = run = runLine = 0
            dropping = false
          }
        }
      }
    },
    result: () => (overflow ? undefined : out.subarray(0, length)),
  }
}
