/**
 * Compiles the WebAssembly sources into `*.wasm.ts` beside them, the bytes as base64, so that the package needs no file beside
 * its bundle. `--check` compiles and compares instead, and exits 1 when one differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import loadWabt from 'wabt'

const SOURCES = ['src/store/vectors/scan.wat', 'src/store/postings-scan.wat']

const wabt = await loadWabt()
for (const source of SOURCES) {
  const path = fileURLToPath(new URL(`../../${source}`, import.meta.url))
  const target = path.replace(/\.wat$/, '.wasm.ts')
  const text = moduleOf(basename(path), compile(path))
  if (!process.argv.includes('--check')) {
    writeFileSync(target, text)
  } else if (readFileSync(target, 'utf8') !== text) {
    console.error(`${basename(target)} is not what ${source} compiles to: run \`node scripts/wasm/build.mjs\``)
    process.exitCode = 1
  }
}

/** @param {string} path */
function compile(path) {
  const parsed = wabt.parseWat(path, readFileSync(path, 'utf8'), { simd: true })
  parsed.validate()
  const { buffer } = parsed.toBinary({})
  parsed.destroy()
  return buffer
}

/**
 * @param {string} source
 * @param {Uint8Array} bytes
 */
function moduleOf(source, bytes) {
  const name = `${source
    .replace(/\.wat$/, '')
    .replaceAll('-', '_')
    .toUpperCase()}_WASM`
  return `/** Compiled from ${source} by scripts/wasm/build.mjs (${bytes.length} bytes). */
export const ${name} =
  '${Buffer.from(bytes).toString('base64')}'
`
}
