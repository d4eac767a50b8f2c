/** Runs scan.wat: lays out its memory, copies in what it reads, and checks what it says of each list. */
import { type KernelMemory, kernels } from '../kernels.ts'
import { damagedPostings, POSTINGS_HEADER, postingCount, lastSlot as statedLastSlot } from './postings.ts'
import type { PostingBlob, PostingsScan } from './scan.ts'

interface Exports {
  readonly memory: KernelMemory
  readonly touchedEnd: { readonly value: number }
  readonly bodyEnd: { readonly value: number }
  readonly lastSlot: { readonly value: number }
  prepare(lengths: number, owners: number, count: number, ownerLengths: number, highest: number, seen: number, totals: number): number
  gather(at: number, count: number, base: number, size: number, owners: number, ownerTf: number, found: number, touched: number): number
  scoreDocuments(found: number, end: number, lengths: number, scores: number, gain: number, floor: number, slope: number): void
  scoreOwners(touched: number, end: number, tf: number, lengths: number, scores: number, gain: number, floor: number, slope: number): void
}

const PAGE = 64 * 1024
/** The module may read the rest of an entry behind the end of a damaged list. */
const SLACK = 16

let loaded: PostingsScan | null | undefined

/** The scan, or null where the runtime cannot run it: the fallback is the plain scan (plain.ts), which gives the same numbers. */
export function wasmPostingsScan(): PostingsScan | null {
  if (loaded === undefined) {
    const wasm = kernels<Exports>()
    loaded = wasm === null ? null : scanOf(wasm)
  }
  return loaded
}

function scanOf(wasm: Exports): PostingsScan {
  return ({ owner, length, owners }, terms, bm25) => {
    const place = layout()
    const totals = place(3)
    const ownerCell = place(owner.length)
    const lengthCell = place(owner.length)
    const scores = place(owner.length)
    const ownerLengths = place(owners + 1)
    const ownerTf = place(owners + 1)
    const ownerScores = place(owners + 1)
    const touched = place(owners + 1)
    const found = place(2 * Math.max(0, ...terms.map(postingsOf)))
    const body = place(Math.ceil((longest(terms) + SLACK) / 4))
    reserve(wasm, place(0))

    const cells = new Uint32Array(wasm.memory.buffer)
    const bytes = new Uint8Array(wasm.memory.buffer)
    cells.fill(0, scores / 4, found / 4)
    cells.set(owner, ownerCell / 4)
    cells.set(length, lengthCell / 4)
    // `touched` is not yet in use, and serves to tell which owners have been seen.
    const sound = wasm.prepare(lengthCell, ownerCell, owner.length, ownerLengths, owners, touched, totals)
    if (sound === 0) throw new RangeError('a document of an owner that does not exist')
    const [live = 0, liveOwners = 0, total = 0] = cells.subarray(totals / 4)
    const slope = bm25.slope / (total / Math.max(1, live))
    const ownerSlope = bm25.slope / (total / Math.max(1, liveOwners))

    const frequencies = terms.map((blobs) => {
      let foundEnd = found
      let touchedEnd = touched
      for (const { data, base } of blobs) {
        const count = postingCount(data)
        bytes.set(data, body)
        foundEnd = wasm.gather(body + POSTINGS_HEADER, count, base, owner.length, ownerCell, ownerTf, foundEnd, touchedEnd)
        touchedEnd = wasm.touchedEnd.value
        if (wasm.bodyEnd.value !== body + data.length) throw damagedPostings('its entries do not end where it does, or name no segment')
        if (count > 0 && wasm.lastSlot.value !== statedLastSlot(data)) throw damagedPostings('its last slot is not the one in its header')
      }
      const frequency = (foundEnd - found) / 8
      wasm.scoreDocuments(found, foundEnd, lengthCell, scores, bm25.gain(live, frequency), bm25.floor, slope)
      const ownerGain = bm25.gain(liveOwners, (touchedEnd - touched) / 4)
      wasm.scoreOwners(touched, touchedEnd, ownerTf, ownerLengths, ownerScores, ownerGain, bm25.floor, ownerSlope)
      return frequency
    })
    return {
      documents: new Float32Array(wasm.memory.buffer, scores, owner.length).slice(),
      owners: new Float32Array(wasm.memory.buffer, ownerScores, owners + 1).slice(),
      frequencies,
    }
  }
}

/** Hands out room in memory: `cells` numbers of 32 bits, aligned so that f64 and vectors are too. */
function layout(): (cells: number) => number {
  let end = 0
  return (cells) => {
    const start = end
    end = Math.ceil((start + cells * 4) / 16) * 16
    return start
  }
}

function reserve({ memory }: Exports, bytes: number): void {
  const missing = Math.ceil((bytes - memory.buffer.byteLength) / PAGE)
  if (missing > 0) memory.grow(missing)
}

function postingsOf(blobs: readonly PostingBlob[]): number {
  return blobs.reduce((sum, { data }) => sum + postingCount(data), 0)
}

function longest(terms: readonly (readonly PostingBlob[])[]): number {
  return Math.max(0, ...terms.flat().map(({ data }) => data.length))
}
