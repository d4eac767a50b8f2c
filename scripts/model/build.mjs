/**
 * Builds `model/words.bin`, or with `--check` builds it anew and compares it with the shipped one. `model/README.md` tells how
 * and why. Takes some minutes; the sources are kept in `.cache/model`.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { askTeacher } from './ask-teacher.mjs'
import { reduce } from './reduce.mjs'
import { frequentWords, teacherFiles } from './sources.mjs'
import { encodeTable } from './table.mjs'
import { vocabulary } from './vocabulary.mjs'
import { createTokenizer } from './word-pieces.mjs'

/** Enough for what the teacher knows of single words, and a scan of 100,000 lines reads 25 MB. */
const DIMENSIONS = 256

const { values: options } = parseArgs({ options: { check: { type: 'boolean', default: false }, out: { type: 'string' } } })
const shipped = fileURLToPath(new URL('../../model/words.bin', import.meta.url))
const cache = fileURLToPath(new URL('../../.cache/model', import.meta.url))

const table = await build()
if (options.check) compare(table, readFileSync(shipped))
else writeFileSync(options.out ?? shipped, table)

/** @returns {Promise<Buffer>} */
async function build() {
  const { weights, pieces } = teacherFiles(cache)
  const entries = vocabulary(Object.keys(pieces), frequentWords(cache))
  const tokenize = createTokenizer(pieces)
  const texts = entries.flatMap((entry) => entry.texts)
  let shown = 0
  const vectors = await askTeacher(weights, texts.map(tokenize), (done) => {
    if (done - shown < 5_000 && done < texts.length) return
    shown = done
    console.error(`${done} of ${texts.length} texts`)
  })
  let next = 0
  const means = entries.map(({ texts }) => mean(texts.map(() => vectors[next++])))
  const reduced = reduce(means, DIMENSIONS)
  return encodeTable(entries.map(({ word, weight }, i) => ({ word, vector: reduced[i].map((value) => value * weight) })))
}

/** @param {readonly Float32Array[]} vectors */
function mean(vectors) {
  return vectors[0].map((_, i) => vectors.reduce((sum, vector) => sum + vector[i], 0) / vectors.length)
}

/** @param {Buffer} built @param {Buffer} expected */
function compare(built, expected) {
  const same = built.equals(expected)
  console.log(
    same
      ? `model/words.bin is what the script builds: ${built.toString('hex', 24, 56)}`
      : 'model/words.bin differs from what the script builds',
  )
  if (!same) process.exitCode = 1
}
