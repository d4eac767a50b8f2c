/**
 * XXH64 with seed 0 (https://github.com/Cyan4973/xxHash), of which a zstd frame holds the lower half as its checksum. Numbers of 64 bits
 * are two halves here, and a function returns the lower one: with BigInt the checksum would take longer than unpacking.
 */

type Half = number
const PRIME_1 = [0x9e3779b1, 0x85ebca87] as const
const PRIME_2 = [0xc2b2ae3d, 0x27d4eb4f] as const
const PRIME_3 = [0x165667b1, 0x9e3779f9] as const
const PRIME_4 = [0x85ebca77, 0xc2b2ae63] as const
const PRIME_5 = [0x27d4eb2f, 0x165667c5] as const

/** Bytes that are taken in at once, eight for each of four lanes. */
const STRIPE = 32

/** The upper half of what the last function here returned. */
let upper: Half = 0

/** The lower half of the hash, from 0 to 2^32 - 1. */
export function xxh64Low(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let low: Half = PRIME_5[1]
  upper = PRIME_5[0]
  if (bytes.length >= STRIPE) {
    const lanes = startingLanes()
    for (; at + STRIPE <= bytes.length; at += STRIPE) {
      for (let lane = 0; lane < 8; lane += 2) {
        const word = at + lane * 4
        lanes[lane + 1] = round(lanes[lane]!, lanes[lane + 1]!, view.getInt32(word + 4, true), view.getInt32(word, true))
        lanes[lane] = upper
      }
    }
    low = merged(lanes)
  }
  low = add(upper, low, 0, bytes.length)
  for (; at + 8 <= bytes.length; at += 8) {
    const before = upper
    const word = round(0, 0, view.getInt32(at + 4, true), view.getInt32(at, true))
    low = rotate(before ^ upper, low ^ word, 27)
    low = multiply(upper, low, PRIME_1)
    low = add(upper, low, ...PRIME_4)
  }
  if (at + 4 <= bytes.length) {
    low = mixed(low, view.getInt32(at, true), PRIME_1, 23)
    low = multiply(upper, low, PRIME_2)
    low = add(upper, low, ...PRIME_3)
    at += 4
  }
  for (; at < bytes.length; at++) {
    low = mixed(low, view.getUint8(at), PRIME_5, 11)
    low = multiply(upper, low, PRIME_1)
  }
  return avalanche(low)
}

/** Upper and lower halves in turns. */
function startingLanes(): Int32Array {
  const first = add(...PRIME_1, ...PRIME_2)
  return Int32Array.of(upper, first, ...PRIME_2, 0, 0, ~PRIME_1[0], -PRIME_1[1])
}

function merged(lanes: Int32Array): Half {
  let low: Half = 0
  let high: Half = 0
  for (const [index, bits] of [1, 7, 12, 18].entries()) {
    const turned = rotate(lanes[index * 2]!, lanes[index * 2 + 1]!, bits)
    low = add(high, low, upper, turned)
    high = upper
  }
  for (let lane = 0; lane < 8; lane += 2) {
    const value = round(0, 0, lanes[lane]!, lanes[lane + 1]!)
    low = multiply(high ^ upper, low ^ value, PRIME_1)
    low = add(upper, low, ...PRIME_4)
    high = upper
  }
  return low
}

/** Takes in a word of less than eight bytes. */
function mixed(low: Half, word: number, prime: readonly [Half, Half], bits: number): Half {
  const before = upper
  const value = multiply(0, word, prime)
  return rotate(before ^ upper, low ^ value, bits)
}

function avalanche(hash: Half): number {
  let low = multiply(upper, hash ^ (upper >>> 1), PRIME_2)
  low = multiply(upper ^ (upper >>> 29), low ^ ((low >>> 29) | (upper << 3)), PRIME_3)
  return (low ^ upper) >>> 0
}

function round(high: Half, low: Half, wordHigh: Half, wordLow: Half): Half {
  const product = multiply(wordHigh, wordLow, PRIME_2)
  const sum = add(high, low, upper, product)
  const turned = rotate(upper, sum, 31)
  return multiply(upper, turned, PRIME_1)
}

function add(high: Half, low: Half, otherHigh: Half, otherLow: Half): Half {
  const sum = (low >>> 0) + (otherLow >>> 0)
  upper = (high + otherHigh + (sum > 0xffffffff ? 1 : 0)) | 0
  return sum | 0
}

function rotate(high: Half, low: Half, bits: number): Half {
  upper = (high << bits) | (low >>> (32 - bits))
  return (low << bits) | (high >>> (32 - bits))
}

function multiply(high: Half, low: Half, prime: readonly [Half, Half]): Half {
  upper = (carried(low, prime[1]) + Math.imul(low, prime[0]) + Math.imul(high, prime[1])) | 0
  return Math.imul(low, prime[1])
}

/** The upper half of the product of two numbers of 32 bits, by their halves of 16. */
function carried(a: Half, b: Half): Half {
  const a0 = a & 0xffff
  const a1 = a >>> 16
  const b0 = b & 0xffff
  const b1 = b >>> 16
  const middle = Math.imul(a1, b0) >>> 0
  const rest = (Math.imul(a0, b1) >>> 0) + (Math.imul(a0, b0) >>> 16) + (middle & 0xffff)
  return (Math.imul(a1, b1) + (middle >>> 16) + Math.floor(rest / 0x10000)) | 0
}
