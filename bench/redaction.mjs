/**
 * How fast text passes redaction, on one core: notes (words alone), this repository's own sources, and sources with a secret in every
 * fiftieth line. In pieces as long as a record of a session; the median of rounds in which the kinds take turns.
 *
 * `npm run bench:redaction` (text) or `npm run --silent bench:redaction -- --json`.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { importSource } from './lib/bundle.mjs'
import { median, print, progress, round } from './lib/measure.mjs'
import { root } from './lib/package.mjs'
import { memoryFiles, random } from './lib/text.mjs'

const BYTES = 8e6
const PIECE = 4_000
const ROUNDS = 15
/** Rounds before the clock counts: the code is compiled. */
const WARM_UP = 3
const SECRET_EVERY = 50

const { createRedactor } = await importSource('src/redaction/redact.ts')
const redact = createRedactor()
const notes = repeated(Array.from(memoryFiles(20_000), ({ content }) => content).join('\n'))
const sources = repeated(sourceText('src'))
const withSecrets = repeated(addSecrets(sourceText('src')))

const kinds = Object.entries({ notes, sources, with_secrets: withSecrets }).map(([name, text]) => ({
  name,
  pieces: pieces(text),
  speeds: [],
}))
for (let turn = -WARM_UP; turn < ROUNDS; turn++) {
  progress(`round ${turn + 1} of ${ROUNDS}`)
  for (const { pieces, speeds } of kinds) {
    const begin = performance.now()
    for (const piece of pieces) redact(piece)
    if (turn >= 0) speeds.push(BYTES / 1e6 / ((performance.now() - begin) / 1000))
  }
}

const result = Object.fromEntries(kinds.map(({ name, speeds }) => [`${name}_mb_per_s`, round(median(speeds), 1)]))
print(result, [
  `notes: ${result.notes_mb_per_s} MB/s`,
  `sources: ${result.sources_mb_per_s} MB/s`,
  `sources with a secret in every ${SECRET_EVERY}th line: ${result.with_secrets_mb_per_s} MB/s`,
])

/** ASCII of the same length for all kinds, so that a byte is a character. */
function repeated(text) {
  const plain = text.replace(/[^\t\n -~]/g, '')
  return plain.repeat(Math.ceil(BYTES / plain.length)).slice(0, BYTES)
}

function pieces(text) {
  return Array.from({ length: Math.ceil(text.length / PIECE) }, (_, index) => text.slice(index * PIECE, (index + 1) * PIECE))
}

/** Without the rules themselves, which are nothing but what they look for. */
function sourceText(folder) {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.wasm.ts') && !name.startsWith('redaction'))
  return files.map((name) => readFileSync(join(root, folder, name), 'utf8')).join('\n')
}

function addSecrets(text) {
  const lines = text.split('\n')
  return lines.map((line, index) => (index % SECRET_EVERY === 0 ? `${line}\nexport SHOP_TOKEN=${madeUp(index)}` : line)).join('\n')
}

/** Another value for every seed; made here, so that no scanner takes this file for a leak. */
function madeUp(seed) {
  const next = random(seed)
  return Array.from({ length: 32 }, () => Math.floor(next() * 36).toString(36)).join('')
}
