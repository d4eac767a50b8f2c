import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainPostingsScan } from '../../src/store/postings/plain.ts'
import { encodePostings, listPostings } from '../../src/store/postings/postings.ts'
import { type Bm25, type Documents, type PostingBlob, scanPostings } from '../../src/store/postings/scan.ts'
import { wasmPostingsScan } from '../../src/store/postings/wasm.ts'
import { idf, weight } from '../../src/text/bm25.ts'

const bm25: Bm25 = { gain: (documents, frequency) => Math.log(1 + documents / (1 + frequency)), floor: 0.5, slope: 0.3 }

/** Up to 60 documents of up to 9 owners (some gone), and up to 5 terms, whose lists are cut at slot 20. */
const index = fc
  .record({
    documents: fc.array(fc.record({ owner: fc.nat({ max: 9 }), length: fc.nat({ max: 300 }) }), { maxLength: 60 }),
    terms: fc.array(fc.array(fc.oneof(fc.constant(0), fc.constant(1), fc.nat({ max: 1000 })), { maxLength: 60 }), { maxLength: 5 }),
  })
  .map(({ documents, terms }) => {
    const table: Documents = {
      owner: Uint32Array.from(documents, ({ owner }) => owner),
      // A document is at least as long as its terms are many.
      length: Uint32Array.from(documents, ({ length }, slot) => length + terms.reduce((sum, tfs) => sum + (tfs[slot] ?? 0), 0)),
      owners: 9,
    }
    const lists = terms.map((tfs) =>
      [0, 20, 40].map((base): PostingBlob => {
        const slots = tfs.slice(base, base + 20).map((tf, slot) => ({ slot, tf }))
        return { data: encodePostings(slots.filter(({ slot, tf }) => tf > 0 && base + slot < documents.length)), base }
      }),
    )
    return { table, lists }
  })

describe('the scan of posting lists', () => {
  it('runs as WebAssembly in this runtime', () => {
    expect(wasmPostingsScan()).not.toBeNull()
  })

  it('gives the same scores as WebAssembly and in plain JavaScript', () => {
    fc.assert(
      fc.property(index, ({ table, lists }) => {
        expect(wasmPostingsScan()!(table, lists, bm25)).toEqual(plainPostingsScan(table, lists, bm25))
      }),
      { numRuns: 300 },
    )
  })

  it('gives every document and every owner the BM25 that its definition gives', () => {
    fc.assert(
      fc.property(index, ({ table, lists }) => {
        const found = scanPostings(table, lists)
        const expected = byDefinition(table, lists)
        expect(found.frequencies).toEqual(expected.frequencies)
        for (const [actual, wanted] of [
          [found.documents, expected.documents],
          [found.owners, expected.owners],
        ] as const) {
          expect(actual.length).toBe(wanted.length)
          wanted.forEach((score, at) => void expect(actual[at]!).toBeCloseTo(score, 4))
        }
      }),
    )
  })

  it('needs more memory for a larger store than for the one before, and then none of it is left over', () => {
    const large = { owner: new Uint32Array(100_000).fill(1), length: new Uint32Array(100_000).fill(5), owners: 1 }
    const everywhere = encodePostings(Array.from({ length: 100_000 }, (_, slot) => ({ slot, tf: 2 })))
    expect(scanPostings(large, [[{ data: everywhere, base: 0 }]]).frequencies).toEqual([100_000])
    const small = { owner: Uint32Array.of(1, 2), length: Uint32Array.of(5, 5), owners: 2 }
    const scores = scanPostings(small, [[{ data: encodePostings([{ slot: 1, tf: 1 }]), base: 0 }]])
    expect(scores.frequencies).toEqual([1])
    expect([scores.documents[0], scores.owners[0], scores.owners[1]]).toEqual([0, 0, 0])
    expect(scores.documents[1]).toBeGreaterThan(0)
  })

  it('says that a list is damaged when it names a document that does not exist, or was cut or changed', () => {
    const table = { owner: Uint32Array.of(1, 1, 1), length: Uint32Array.of(1, 1, 1), owners: 1 }
    const list = encodePostings([
      { slot: 0, tf: 1 },
      { slot: 2, tf: 9 },
    ])
    const changed = list.slice()
    changed[8]! += 2
    for (const blob of [
      { data: list, base: 1 },
      { data: list.subarray(0, list.length - 1), base: 0 },
      { data: changed, base: 0 },
    ]) {
      for (const scan of [wasmPostingsScan()!, plainPostingsScan]) {
        expect(() => scan(table, [[blob]], bm25)).toThrow(expect.objectContaining({ code: 'store_corrupt' }))
      }
    }
  })

  it('survives any bytes as a list', () => {
    const table = { owner: new Uint32Array(50).fill(1), length: new Uint32Array(50).fill(3), owners: 1 }
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (data) => {
        try {
          scanPostings(table, [[{ data, base: 0 }]])
        } catch (error) {
          expect(error).toMatchObject({ code: 'store_corrupt' })
        }
        expect(scanPostings(table, []).documents.length).toBe(50)
      }),
      { numRuns: 1000 },
    )
  })

  it('refuses a document of an owner that does not exist', () => {
    const table = { owner: Uint32Array.of(2), length: Uint32Array.of(1), owners: 1 }
    for (const scan of [wasmPostingsScan()!, plainPostingsScan]) expect(() => scan(table, [], bm25)).toThrow(RangeError)
  })
})

function byDefinition({ owner, length, owners }: Documents, lists: readonly (readonly PostingBlob[])[]) {
  const documents = new Array<number>(owner.length).fill(0)
  const ofOwners = new Array<number>(owners + 1).fill(0)
  const live = [...owner.keys()].filter((document) => owner[document] !== 0)
  const total = live.reduce((sum, document) => sum + length[document]!, 0)
  const lengthOf = (number: number) =>
    live.filter((document) => owner[document] === number).reduce((sum, document) => sum + length[document]!, 0)
  const numbers = [...new Set(live.map((document) => owner[document]!))]
  const frequencies = lists.map((blobs) => {
    const tfs = new Map(blobs.flatMap(({ data, base }) => listPostings(data).map(({ slot, tf }) => [slot + base, tf] as const)))
    const hits = live.filter((document) => tfs.has(document))
    for (const document of hits)
      documents[document]! += idf(live.length, hits.length) * weight(tfs.get(document)!, length[document]!, total / live.length)
    const hitOwners = new Set(hits.map((document) => owner[document]!))
    for (const number of hitOwners) {
      const tf = hits.filter((document) => owner[document] === number).reduce((sum, document) => sum + tfs.get(document)!, 0)
      ofOwners[number]! += idf(numbers.length, hitOwners.size) * weight(tf, lengthOf(number), total / numbers.length)
    }
    return hits.length
  })
  return { documents, owners: ofOwners, frequencies }
}
