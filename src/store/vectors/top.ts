/**
 * The indexes of the `k` largest scores, best first; equal scores by lower index. Only scores above `floor` count (default: all but
 * NaN). One pass with a small heap: linear in the scores for the k of a few hundred that a pool needs.
 */
export function topIndexes(scores: Float32Array, k: number, floor = Number.NEGATIVE_INFINITY): number[] {
  const heap: number[] = []
  if (k <= 0) return heap
  // The worst kept score, once the heap is full; a later equal score loses to the lower index, so `>` suffices.
  let least = floor
  for (let index = 0; index < scores.length; index++) {
    const score = scores[index]!
    if (!(score > least)) continue
    if (heap.length < k) {
      heap.push(index)
      rise(heap, scores)
      if (heap.length === k) least = scores[heap[0]!]!
    } else {
      heap[0] = index
      sink(heap, scores)
      least = scores[heap[0]!]!
    }
  }
  return heap.sort((a, b) => scores[b]! - scores[a]! || a - b)
}

/** Whether `a` is the worse of two: the lower score, or the later index among equals. */
function worse(scores: Float32Array, a: number, b: number): boolean {
  const difference = scores[a]! - scores[b]!
  return difference < 0 || (difference === 0 && a > b)
}

function rise(heap: number[], scores: Float32Array): void {
  let at = heap.length - 1
  const item = heap[at]!
  while (at > 0) {
    const parent = (at - 1) >> 1
    if (!worse(scores, item, heap[parent]!)) break
    heap[at] = heap[parent]!
    at = parent
  }
  heap[at] = item
}

function sink(heap: number[], scores: Float32Array): void {
  const item = heap[0]!
  let at = 0
  for (;;) {
    let child = 2 * at + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && worse(scores, heap[child + 1]!, heap[child]!)) child++
    if (!worse(scores, heap[child]!, item)) break
    heap[at] = heap[child]!
    at = child
  }
  heap[at] = item
}
