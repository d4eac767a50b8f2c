/**
 * all-MiniLM-L6-v2 in plain arithmetic: a BERT encoder of six layers whose token vectors are averaged. Slower than a native
 * runtime and the same on every machine, which a native one does not promise.
 */
import { createKernel } from './kernel.mjs'

const WIDTH = 384
const INNER = 1536
const LAYERS = 6
const HEADS = 12
const HEAD = WIDTH / HEADS
const EPSILON = 1e-12
/** Tokens that go through a layer together; more no longer pay. */
const MAX_TOKENS = 256

/**
 * @param {import('./safetensors.mjs').Tensors} tensors
 * @returns {Promise<(sentences: readonly (readonly number[])[]) => Float32Array[]>}
 *   from token ids (all sentences of one length) to unit vectors. A sentence's vector does not depend on its neighbours.
 */
export async function createTeacher(tensors) {
  const linears = Array.from({ length: LAYERS }, (_, layer) => layerNames(layer)).flat()
  const weightFloats = linears.reduce((sum, name) => sum + tensors(`${name}.weight`).length, 0)
  const rows = MAX_TOKENS + 4
  const buffers = { x: WIDTH, q: WIDTH, k: WIDTH, v: WIDTH, context: WIDTH, out: WIDTH, inner: INNER }
  const bufferFloats = rows * Object.values(buffers).reduce((sum, width) => sum + width, 0)
  const { memory, linear } = await createKernel(4 * (weightFloats + bufferFloats))
  const heap = new Float32Array(memory.buffer)
  let used = 0
  const place = (/** @type {number} */ floats) => {
    used += floats
    return used - floats
  }
  const at = Object.fromEntries(Object.entries(buffers).map(([name, width]) => [name, place(rows * width)]))
  const weights = new Map(
    linears.map((name) => {
      const weight = tensors(`${name}.weight`)
      const offset = place(weight.length)
      heap.set(weight, offset)
      return [name, { offset, bias: tensors(`${name}.bias`) }]
    }),
  )

  /** @param {string} name @param {number} from @param {number} to @param {number} tokens @param {number} width */
  function apply(name, from, to, tokens, width) {
    const { offset, bias } = /** @type {{offset: number, bias: Float32Array}} */ (weights.get(name))
    const n = bias.length
    linear(4 * from, 4 * offset, 4 * to, Math.ceil(tokens / 4) * 4, n, width)
    for (let t = 0; t < tokens; t++) for (let i = 0; i < n; i++) heap[to + t * n + i] += bias[i]
  }

  /** @param {string} name @param {number} from @param {number} tokens @param {number} [residual] added first; the result lies in `x` */
  function normalizeLayer(name, from, tokens, residual) {
    const gain = tensors(`${name}.weight`)
    const shift = tensors(`${name}.bias`)
    for (let t = 0; t < tokens; t++) {
      const row = heap.subarray(from + t * WIDTH, from + (t + 1) * WIDTH)
      if (residual !== undefined) for (let i = 0; i < WIDTH; i++) row[i] += heap[residual + t * WIDTH + i]
      let mean = 0
      for (const value of row) mean += value
      mean /= WIDTH
      let variance = 0
      for (const value of row) variance += (value - mean) * (value - mean)
      const scale = 1 / Math.sqrt(variance / WIDTH + EPSILON)
      for (let i = 0; i < WIDTH; i++) heap[at.x + t * WIDTH + i] = (row[i] - mean) * scale * gain[i] + shift[i]
    }
  }

  /** @param {number} sentences @param {number} length */
  function attend(sentences, length) {
    const shares = new Float64Array(length)
    for (let s = 0; s < sentences; s++)
      for (let h = 0; h < HEADS; h++)
        for (let t = 0; t < length; t++) {
          const place = (/** @type {number} */ token) => (s * length + token) * WIDTH + h * HEAD
          let total = 0
          for (let u = 0; u < length; u++) {
            let dot = 0
            for (let i = 0; i < HEAD; i++) dot += heap[at.q + place(t) + i] * heap[at.k + place(u) + i]
            shares[u] = exp(dot / Math.sqrt(HEAD))
            total += shares[u]
          }
          for (let i = 0; i < HEAD; i++) {
            let sum = 0
            for (let u = 0; u < length; u++) sum += shares[u] * heap[at.v + place(u) + i]
            heap[at.context + place(t) + i] = sum / total
          }
        }
  }

  /** @param {readonly (readonly number[])[]} sentences */
  function embedTogether(sentences) {
    const length = sentences[0].length
    const tokens = sentences.length * length
    const words = tensors('embeddings.word_embeddings.weight')
    const positions = tensors('embeddings.position_embeddings.weight')
    const types = tensors('embeddings.token_type_embeddings.weight')
    for (const [t, id] of sentences.flat().entries())
      for (let i = 0; i < WIDTH; i++) heap[at.x + t * WIDTH + i] = words[id * WIDTH + i] + positions[(t % length) * WIDTH + i] + types[i]
    normalizeLayer('embeddings.LayerNorm', at.x, tokens)
    for (let layer = 0; layer < LAYERS; layer++) {
      const [query, key, value, output, up, down] = layerNames(layer)
      apply(query, at.x, at.q, tokens, WIDTH)
      apply(key, at.x, at.k, tokens, WIDTH)
      apply(value, at.x, at.v, tokens, WIDTH)
      attend(sentences.length, length)
      apply(output, at.context, at.out, tokens, WIDTH)
      normalizeLayer(`encoder.layer.${layer}.attention.output.LayerNorm`, at.out, tokens, at.x)
      apply(up, at.x, at.inner, tokens, WIDTH)
      for (let i = at.inner; i < at.inner + tokens * INNER; i++) heap[i] = gelu(heap[i])
      apply(down, at.inner, at.out, tokens, INNER)
      normalizeLayer(`encoder.layer.${layer}.output.LayerNorm`, at.out, tokens, at.x)
    }
    return sentences.map((_, s) => unitMean(heap.subarray(at.x + s * length * WIDTH, at.x + (s + 1) * length * WIDTH)))
  }

  return (sentences) => {
    const together = Math.max(1, Math.floor(MAX_TOKENS / (sentences[0]?.length ?? 1)))
    const vectors = []
    for (let i = 0; i < sentences.length; i += together) vectors.push(...embedTogether(sentences.slice(i, i + together)))
    return vectors
  }
}

/** @param {number} layer */
function layerNames(layer) {
  const parts = [
    'attention.self.query',
    'attention.self.key',
    'attention.self.value',
    'attention.output.dense',
    'intermediate.dense',
    'output.dense',
  ]
  return parts.map((part) => `encoder.layer.${layer}.${part}`)
}

/** @param {Float32Array} tokens */
function unitMean(tokens) {
  const mean = new Float64Array(WIDTH)
  for (let i = 0; i < tokens.length; i++) mean[i % WIDTH] += tokens[i]
  let squares = 0
  for (const value of mean) squares += value * value
  return Float32Array.from(mean, (value) => value / Math.sqrt(squares))
}

/** @param {number} x */
function gelu(x) {
  return 0.5 * x * (1 + erf(x / Math.SQRT2))
}

/** Abramowitz and Stegun 7.1.26; the error is below 1.5e-7. @param {number} x */
function erf(x) {
  const t = 1 / (1 + 0.3275911 * Math.abs(x))
  const y = 1 - ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t * exp(-x * x)
  return x < 0 ? -y : y
}

/** e^x by its series, after halving x until it is small: `Math.exp` may differ between engines in the last bit. @param {number} x */
export function exp(x) {
  if (x < -80) return 0
  const small = x / 256
  const series = 1 + small * (1 + (small / 2) * (1 + (small / 3) * (1 + (small / 4) * (1 + (small / 5) * (1 + small / 6)))))
  let power = series
  for (let i = 0; i < 8; i++) power *= power
  return power
}
