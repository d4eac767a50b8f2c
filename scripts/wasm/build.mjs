/**
 * Compiles `src/store/vectors/scan.wat` into `scan.wasm.ts`, the bytes as base64, so that the package needs no file beside its
 * bundle. `--check` compiles and compares instead, and exits 1 when they differ.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import loadWabt from 'wabt'

const source = new URL('../../src/store/vectors/scan.wat', import.meta.url)
const target = new URL('../../src/store/vectors/scan.wasm.ts', import.meta.url)

const wabt = await loadWabt()
const parsed = wabt.parseWat(fileURLToPath(source), readFileSync(source, 'utf8'), { simd: true })
parsed.validate()
const { buffer } = parsed.toBinary({})
parsed.destroy()

const text = `/** Compiled from scan.wat by scripts/wasm/build.mjs (${buffer.length} bytes). */
export const SCAN_WASM =
  '${Buffer.from(buffer).toString('base64')}'
`

if (!process.argv.includes('--check')) {
  writeFileSync(target, text)
  console.log(`wrote ${fileURLToPath(target)}: ${buffer.length} bytes`)
} else if (readFileSync(target, 'utf8') !== text) {
  console.error('scan.wasm.ts is not what scan.wat compiles to: run `node scripts/wasm/build.mjs`')
  process.exitCode = 1
}
