/**
 * How fast the engine writes, into an empty store and into one of 100,000 segments, in commits of 20 files of 30 lines; and how fast it
 * answers when it stays in memory, beside one plain scan in JavaScript over the same vectors, run in turns.
 *
 * `npm run bench:commit` (text) or `npm run --silent bench:commit -- --json`.
 */
import { cpSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { exactOf } from './lib/exact-answers.mjs'
import { median, print, progress, round, timeCall } from './lib/measure.mjs'
import { temporaryFolder, withPackage } from './lib/package.mjs'
import { openStore, STORE, storeOf } from './lib/stores.mjs'
import { groups, LINES_PER_FILE, memoryFiles, queries } from './lib/text.mjs'

const FULL = 100_000
const FILES_A_COMMIT = 20
const SEGMENTS = 6_000
const QUERIES = 60
const WARM_UP = 20

const scratch = temporaryFolder()
const result = await withPackage(async (installed) => {
  const full = join(scratch, 'full', STORE)
  cpSync(await storeOf(FULL, installed), join(scratch, 'full'), { recursive: true })
  mkdirSync(join(scratch, 'empty'))
  const empty_per_s = await segmentsPerSecond(installed, join(scratch, 'empty', STORE))
  const { warm_retrieve_ms, plain_scan_ms } = await warm(installed, full)
  const full_per_s = await segmentsPerSecond(installed, full)
  return { empty_per_s, full_per_s, warm_retrieve_ms, plain_scan_ms }
})
print(result, [
  `commits into an empty store: ${result.empty_per_s} segments a second`,
  `commits into ${FULL.toLocaleString('en')} segments: ${result.full_per_s} segments a second`,
  `retrieve in process at ${FULL.toLocaleString('en')}: ${result.warm_retrieve_ms} ms; one plain scan of its vectors: ${result.plain_scan_ms} ms`,
])

/** New files behind those that the full store holds, so that both cases write the same. */
async function segmentsPerSecond(installed, path) {
  const memory = await openStore(installed, path)
  const commits = [...groups(memoryFiles(SEGMENTS, Math.ceil(FULL / LINES_PER_FILE)), FILES_A_COMMIT)]
  try {
    const { ms } = await timeCall(async () => {
      for (const recall_files of commits) await memory.commitResults({ recall_files })
    })
    return Math.round(SEGMENTS / (ms / 1000))
  } finally {
    await memory.close()
  }
}

async function warm(installed, path) {
  progress('embedding the same lines for the plain scan')
  const { vectors, dimensions } = await exactOf(FULL)
  const memory = await openStore(installed, path)
  const scores = new Float32Array(FULL)
  const retrieveTimes = []
  const scanTimes = []
  try {
    for (const [index, query] of queries(WARM_UP + QUERIES, 2).entries()) {
      const retrieved = await timeCall(() => memory.progressiveRetrieve(query))
      const scanned = await timeCall(() => plainScan(vectors, dimensions, index * dimensions, scores))
      if (index < WARM_UP) continue
      retrieveTimes.push(retrieved.ms)
      scanTimes.push(scanned.ms)
    }
  } finally {
    await memory.close()
  }
  return { warm_retrieve_ms: round(median(retrieveTimes)), plain_scan_ms: round(median(scanTimes)) }
}

/** The dot products of all vectors with the one that begins at `from`. */
function plainScan(vectors, dimensions, from, scores) {
  const query = vectors.slice(from, from + dimensions)
  for (let row = 0, at = 0; row < scores.length; row++) {
    let sum = 0
    for (let index = 0; index < dimensions; index++) sum += vectors[at++] * query[index]
    scores[row] = sum
  }
}
