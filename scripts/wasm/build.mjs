/**
 * Compiles the WebAssembly sources into one module, `src/store/kernels.wasm.ts`, its bytes as base64, so that the package needs no file
 * beside its bundle and a prompt compiles one module. `--check` compiles and compares instead, and exits 1 when it differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import loadWabt from 'wabt'

const SOURCES = ['src/store/vectors/scan.wat', 'src/store/postings/scan.wat']
const TARGET = 'src/store/kernels.wasm.ts'
/** Pages of 64 KB to begin with; the scan of vectors uses so many, the scan of postings grows it. */
const MEMORY = '(memory (export "memory") 8)'

const wabt = await loadWabt()
const path = (/** @type {string} */ file) => fileURLToPath(new URL(`../../${file}`, import.meta.url))
const bytes = compile(`(module ${MEMORY}\n${SOURCES.map((source) => functionsOf(readFileSync(path(source), 'utf8'))).join('\n')})`)
const text = `/** Compiled from the \`.wat\` sources by scripts/wasm/build.mjs (${bytes.length} bytes). */
export const KERNELS_WASM =
  '${Buffer.from(bytes).toString('base64')}'
`
if (!process.argv.includes('--check')) {
  writeFileSync(path(TARGET), text)
} else if (readFileSync(path(TARGET), 'utf8') !== text) {
  console.error(`${TARGET} is not what the sources compile to: run \`node scripts/wasm/build.mjs\``)
  process.exitCode = 1
}

/**
 * What stands between a source's memory and the end of its module.
 * @param {string} source
 */
function functionsOf(source) {
  const memory = /^ {2}\(memory \(export "memory"\) \d+\)$/m.exec(source)
  if (memory === null) throw new Error('a source without its memory')
  return source.slice(memory.index + memory[0].length, source.lastIndexOf(')'))
}

/** @param {string} source */
function compile(source) {
  const parsed = wabt.parseWat('kernels.wat', source, { simd: true })
  parsed.validate()
  const { buffer } = parsed.toBinary({})
  parsed.destroy()
  return buffer
}
