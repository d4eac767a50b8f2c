/** `scan.wat` in plain JavaScript: what a runtime without WebAssembly runs, and what the module is tested against. */
import { damagedPostings, decodePostings, postingCount } from './postings.ts'
import type { Bm25, Documents, PostingBlob, PostingScores } from './scan.ts'

export function plainPostingsScan(
  { owner, length, owners }: Documents,
  terms: readonly (readonly PostingBlob[])[],
  bm25: Bm25,
): PostingScores {
  const ownerLength = new Uint32Array(owners + 1)
  const withDocument = new Set<number>()
  let live = 0
  let total = 0
  for (let document = 0; document < owner.length; document++) {
    if (owner[document] === 0) continue
    if (owner[document]! > owners) throw new RangeError('a document of an owner that does not exist')
    live++
    withDocument.add(owner[document]!)
    total += length[document]!
    ownerLength[owner[document]!]! += length[document]!
  }
  const liveOwners = withDocument.size
  const ofDocuments = new Float32Array(owner.length)
  const ofOwners = new Float32Array(owners + 1)
  const documentSlope = bm25.slope / (total / Math.max(1, live))
  const ownerSlope = bm25.slope / (total / Math.max(1, liveOwners))

  const frequencies = terms.map((blobs) => {
    const found = gather(blobs, owner)
    const ownerTf = new Map<number, number>()
    const gain = bm25.gain(live, found.length)
    for (const { document, tf } of found) {
      ofDocuments[document]! += (gain * tf) / (tf + (bm25.floor + documentSlope * length[document]!))
      ownerTf.set(owner[document]!, (ownerTf.get(owner[document]!) ?? 0) + tf)
    }
    const ownerGain = bm25.gain(liveOwners, ownerTf.size)
    for (const [number, tf] of ownerTf) ofOwners[number]! += (ownerGain * tf) / (tf + (bm25.floor + ownerSlope * ownerLength[number]!))
    return found.length
  })
  return { documents: ofDocuments, owners: ofOwners, frequencies }
}

function gather(blobs: readonly PostingBlob[], owner: Uint32Array): { document: number; tf: number }[] {
  const found: { document: number; tf: number }[] = []
  for (const { data, base } of blobs) {
    const count = postingCount(data)
    const slots = new Uint32Array(count)
    const tfs = new Uint32Array(count)
    decodePostings(data, slots, tfs)
    for (let index = 0; index < count; index++) {
      const document = base + slots[index]!
      if (document >= owner.length) throw damagedPostings('it names a segment that does not exist')
      if (owner[document] !== 0) found.push({ document, tf: tfs[index]! })
    }
  }
  return found
}
