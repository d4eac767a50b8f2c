/**
 * The one heavy operation of the teacher, as WebAssembly SIMD: single-threaded, without fused or relaxed instructions, so
 * that every machine computes the same bits.
 */
import wabt from 'wabt'

/** Rows of `a` and of `w` that one step works on: eight running sums fit the registers of every CPU. */
const ROWS = 4
const COLUMNS = 2

/**
 * @typedef {object} Kernel
 * @property {WebAssembly.Memory} memory
 * @property {(a: number, w: number, c: number, m: number, n: number, k: number) => void} linear
 *   c[m×n] = a[m×k] · transposed w[n×k]; byte addresses of f32 numbers. m a multiple of 4, n of 2, k of 4.
 */

/**
 * @param {number} bytes the memory that the caller lays out
 * @returns {Promise<Kernel>}
 */
export async function createKernel(bytes) {
  const { parseWat } = await wabt()
  const { buffer } = parseWat('linear.wat', source(Math.ceil(bytes / 65536))).toBinary({})
  const instance = new WebAssembly.Instance(new WebAssembly.Module(buffer))
  return /** @type {any} */ (instance.exports)
}

/** @param {number} pages */
function source(pages) {
  const rows = [...Array(ROWS).keys()]
  const columns = [...Array(COLUMNS).keys()]
  const cells = rows.flatMap((r) => columns.map((c) => [r, c]))
  const local = (/** @type {string[]} */ names, /** @type {string} */ type) => names.map((name) => `(local $${name} ${type})`).join(' ')
  const sum = (/** @type {string} */ v) =>
    [0, 1, 2, 3].map((lane) => `(f32x4.extract_lane ${lane} ${v})`).reduce((x, y) => `(f32.add ${x} ${y})`)
  return `(module
    (memory (export "memory") ${pages})
    (func (export "linear") (param $a i32) (param $w i32) (param $c i32) (param $m i32) (param $n i32) (param $k i32)
      ${local(['i', 'j', 'p', 'stride', 'wide'], 'i32')}
      ${local([...rows.map((r) => `a${r}`), ...columns.map((c) => `w${c}`)], 'i32')}
      ${local([...cells.map(([r, c]) => `s${r}${c}`), ...columns.map((c) => `v${c}`), 'u'], 'v128')}
      (local.set $stride (i32.shl (local.get $k) (i32.const 2)))
      (local.set $wide (i32.shl (local.get $n) (i32.const 2)))
      (loop $rows
        (local.set $j (i32.const 0))
        (loop $columns
          ${rows.map((r) => `(local.set $a${r} (i32.add (local.get $a) (i32.mul (local.get $stride) (i32.add (local.get $i) (i32.const ${r})))))`).join('\n')}
          ${columns.map((c) => `(local.set $w${c} (i32.add (local.get $w) (i32.mul (local.get $stride) (i32.add (local.get $j) (i32.const ${c})))))`).join('\n')}
          ${cells.map(([r, c]) => `(local.set $s${r}${c} (v128.const f32x4 0 0 0 0))`).join(' ')}
          (local.set $p (i32.const 0))
          (loop $depth
            ${columns.map((c) => `(local.set $v${c} (v128.load (i32.add (local.get $w${c}) (local.get $p))))`).join('\n')}
            ${rows
              .map(
                (r) => `(local.set $u (v128.load (i32.add (local.get $a${r}) (local.get $p))))
            ${columns.map((c) => `(local.set $s${r}${c} (f32x4.add (local.get $s${r}${c}) (f32x4.mul (local.get $u) (local.get $v${c}))))`).join('\n')}`,
              )
              .join('\n')}
            (br_if $depth (i32.lt_u (local.tee $p (i32.add (local.get $p) (i32.const 16))) (local.get $stride))))
          ${cells
            .map(
              ([r, c]) => `(f32.store
            (i32.add (local.get $c) (i32.add (i32.mul (local.get $wide) (i32.add (local.get $i) (i32.const ${r})))
              (i32.shl (i32.add (local.get $j) (i32.const ${c})) (i32.const 2))))
            ${sum(`(local.get $s${r}${c})`)})`,
            )
            .join('\n')}
          (br_if $columns (i32.lt_u (local.tee $j (i32.add (local.get $j) (i32.const ${COLUMNS}))) (local.get $n))))
        (br_if $rows (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const ${ROWS}))) (local.get $m))))))`
}
