/** Spreads texts over threads and gathers their vectors. */
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'

const BATCH = 512

/**
 * @param {Uint8Array} weights the teacher's safetensors file
 * @param {readonly (readonly number[])[]} sentences token ids
 * @param {(done: number) => void} onProgress
 * @returns {Promise<Float32Array[]>} in the order of the sentences
 */
export async function askTeacher(weights, sentences, onProgress) {
  const batches = batchesOfOneLength(sentences)
  const vectors = /** @type {Float32Array[]} */ (new Array(sentences.length))
  const shared = new Uint8Array(new SharedArrayBuffer(weights.length))
  shared.set(weights)
  let next = 0
  let done = 0
  const threads = Array.from({ length: Math.min(availableParallelism(), batches.length) }, async () => {
    const worker = new Worker(new URL('worker.mjs', import.meta.url), { workerData: { weights: shared } })
    try {
      while (next < batches.length) {
        const batch = batches[next++]
        const answer = await ask(
          worker,
          batch.map((i) => sentences[i]),
        )
        for (const [k, i] of batch.entries()) vectors[i] = answer[k]
        done += batch.length
        onProgress(done)
      }
    } finally {
      await worker.terminate()
    }
  })
  await Promise.all(threads)
  return vectors
}

/** @param {readonly (readonly number[])[]} sentences @returns {number[][]} indexes */
function batchesOfOneLength(sentences) {
  /** @type {Map<number, number[]>} */
  const byLength = new Map()
  for (const [i, { length }] of sentences.entries()) {
    const group = byLength.get(length)
    if (group === undefined) byLength.set(length, [i])
    else group.push(i)
  }
  return [...byLength.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / BATCH) }, (_, k) => group.slice(k * BATCH, (k + 1) * BATCH)),
  )
}

/** @param {Worker} worker @param {(readonly number[])[]} sentences @returns {Promise<Float32Array[]>} */
function ask(worker, sentences) {
  return new Promise((resolve, reject) => {
    worker.once('error', reject)
    worker.once('message', ({ vectors }) => {
      worker.off('error', reject)
      resolve(vectors)
    })
    worker.postMessage({ sentences })
  })
}
