/**
 * Text for benchmarks: lines that read like a developer's notes to a machine. Words follow Zipf's law: the frequent ones are those of
 * software documentation (words.txt, most frequent first, stop words among them), the rare ones are identifiers made of two of them.
 */
import { readFileSync } from 'node:fs'

const COMMON = readFileSync(new URL('words.txt', import.meta.url), 'utf8')
  .trim()
  .split(/\s+/)
const VOCABULARY = 30_000
const IDENTIFIERS = [
  (a, b) => `${a}_${b}`,
  (a, b) => `${a}${b[0].toUpperCase()}${b.slice(1)}`,
  (a, b) => `--${a}-${b}`,
  (a, b) => `${a}/${b}.ts`,
]
export const LINES_PER_FILE = 30

/** The word of a rank, 0 the most frequent. */
function wordOf(rank) {
  if (rank < COMMON.length) return COMMON[rank]
  const next = random(rank)
  const pick = () => COMMON[100 + Math.floor(next() * (COMMON.length - 100))]
  return IDENTIFIERS[rank % IDENTIFIERS.length](pick(), pick())
}

const WORDS = Array.from({ length: VOCABULARY }, (_, rank) => wordOf(rank))
const CUMULATED = new Float64Array(VOCABULARY)
for (let rank = 0, sum = 0; rank < VOCABULARY; rank++) CUMULATED[rank] = sum += 1 / (rank + 1)

function zipfWord(next) {
  const target = next() * CUMULATED[VOCABULARY - 1]
  let low = 0
  let high = VOCABULARY - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (CUMULATED[middle] < target) low = middle + 1
    else high = middle
  }
  return WORDS[low]
}

/** A reproducible sequence of numbers in [0, 1) (mulberry32). */
export function random(seed) {
  let state = (seed * 0x9e3779b9) >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = Math.imul(state ^ (state >>> 15), state | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A line of 60 to 300 characters. */
function line(next) {
  const length = 60 + Math.floor(next() * 225)
  let text = zipfWord(next)
  while (text.length < length) text += ` ${zipfWord(next)}`
  return text.length > 300 ? text.slice(0, 300).trimEnd() : text
}

/** Memory files of 30 lines, `segments` lines in all; `first` numbers the files. The same arguments give the same text. */
export function* memoryFiles(segments, first = 0) {
  for (let number = first, left = segments; left > 0; number++) {
    const next = random(number + 1)
    const count = Math.min(LINES_PER_FILE, left)
    yield {
      track: 'memory',
      name: `notes-${number}`,
      description: `Notes on ${zipfWord(next)} and ${zipfWord(next)}`,
      content: `${Array.from({ length: count }, () => line(next)).join('\n')}\n`,
    }
    left -= count
  }
}

/** Different queries of 8 to 40 words. */
export function queries(count, seed = 1) {
  const next = random(1_000_000 + seed)
  return Array.from({ length: count }, () => Array.from({ length: 8 + Math.floor(next() * 33) }, () => zipfWord(next)).join(' '))
}

/** Items in groups of `size`. */
export function* groups(items, size) {
  let group = []
  for (const item of items) {
    group.push(item)
    if (group.length < size) continue
    yield group
    group = []
  }
  if (group.length > 0) yield group
}
