import { plainAbove } from './plain.ts'
import { simdScans } from './simd.ts'

/** Scores are looked through in growing windows: small at first, while the floor rises fast; the largest fits the module's memory. */
const FIRST_WINDOW = 256
const LARGEST_WINDOW = 4096
/** So many scores, evenly spread, tell where the floor of a long array will be. */
const SAMPLE = 1024

/**
 * The indexes of the `k` largest scores, best first; equal scores by lower index. Only scores above `floor` count (default: all but
 * NaN and -Infinity), and where there are `owners`, only those whose owner is not 0. Linear in the scores: the SIMD module picks those above a floor that is guessed from a sample and rises with
 * what is found, so that a process that answers one query runs little slow, not yet compiled JavaScript.
 */
export function topIndexes(scores: Float32Array, k: number, floor = Number.NEGATIVE_INFINITY, owners?: Uint32Array): number[] {
  if (k <= 0) return []
  const guess = guessFloor(scores, k)
  let best = guess > floor ? collect(scores, owners, k, guess) : []
  if (best.length < k) best = collect(scores, owners, k, floor)
  return best.sort((a, b) => scores[b]! - scores[a]! || a - b)
}

/** A score that more than `k` scores are very likely above: three standard deviations under the rank that the sample suggests. */
function guessFloor(scores: Float32Array, k: number): number {
  if (scores.length < SAMPLE * 8) return Number.NEGATIVE_INFINITY
  const step = scores.length / SAMPLE
  const sample = new Float32Array(SAMPLE)
  for (let at = 0; at < SAMPLE; at++) sample[at] = scores[Math.floor(at * step)]!
  const expected = k / step
  return sample.sort()[SAMPLE - Math.ceil(expected + 3 * Math.sqrt(expected) + 2)] ?? Number.NEGATIVE_INFINITY
}

/** The `k` best above `floor`, ascending; fewer where there are no more. */
function collect(scores: Float32Array, owners: Uint32Array | undefined, k: number, floor: number): number[] {
  const above = simdScans()?.above ?? plainAbove
  let best: number[] = []
  let least = floor
  let size = FIRST_WINDOW
  for (let start = 0; start < scores.length; start += size, size = Math.min(size * 2, LARGEST_WINDOW)) {
    for (const index of above(scores, owners, start, Math.min(start + size, scores.length), least)) best.push(index)
    // Cut back at four times k and not at every window: few sorts in all, and the floor is never far behind.
    if (best.length < k * 4) continue
    least = kthLargest(scores, best, k)
    best = keep(scores, best, k, least)
  }
  return best.length > k ? keep(scores, best, k, kthLargest(scores, best, k)) : best
}

function kthLargest(scores: Float32Array, indexes: readonly number[], k: number): number {
  const values = new Float32Array(indexes.length)
  for (let at = 0; at < values.length; at++) values[at] = scores[indexes[at]!]!
  return values.sort()[values.length - k]!
}

/** The `k` best of ascending indexes, still ascending, when `least` is the score of the k-th. */
function keep(scores: Float32Array, indexes: readonly number[], k: number, least: number): number[] {
  const larger = indexes.filter((index) => scores[index]! > least).length
  let equals = k - larger
  return indexes.filter((index) => scores[index]! > least || (scores[index]! === least && equals-- > 0))
}
