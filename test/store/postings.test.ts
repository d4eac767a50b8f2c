import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  appendPostings,
  decodePostings,
  encodePostings,
  listPostings,
  type Posting,
  postingCount,
} from '../../src/store/postings/postings.ts'

const LIMIT = 2 ** 30 - 1

/** Ascending postings, mostly dense with small frequencies, sometimes at the limits. */
const postings = fc
  .array(
    fc.record({
      gap: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 300 }) }, fc.integer({ min: 1, max: 2 ** 24 })),
      tf: fc.oneof({ weight: 8, arbitrary: fc.integer({ min: 1, max: 4 }) }, fc.integer({ min: 1, max: LIMIT })),
    }),
    { maxLength: 60 },
  )
  .map((entries) => {
    let slot = -1
    return entries.map(({ gap, tf }): Posting => {
      slot += gap
      return { slot, tf }
    })
  })

describe('a posting list', () => {
  it('decodes to what was encoded', () => {
    fc.assert(
      fc.property(postings, (entries) => {
        const blob = encodePostings(entries)
        expect(postingCount(blob)).toBe(entries.length)
        expect(listPostings(blob)).toEqual(entries)
      }),
    )
  })

  it('is the same blob whether it was appended to or encoded at once', () => {
    fc.assert(
      fc.property(postings, fc.nat({ max: 60 }), (entries, cut) => {
        const appended = appendPostings(encodePostings(entries.slice(0, cut)), entries.slice(cut))
        expect(appended).toEqual(encodePostings(entries))
      }),
    )
  })

  it('decodes behind the postings of another list', () => {
    const slots = new Uint32Array(4)
    const tfs = new Uint32Array(4)
    const first = decodePostings(encodePostings([{ slot: 7, tf: 1 }]), slots, tfs)
    const second = decodePostings(
      encodePostings([
        { slot: 0, tf: 300 },
        { slot: LIMIT, tf: 2 },
      ]),
      slots,
      tfs,
      first,
    )
    expect([first, second]).toEqual([1, 2])
    expect([...slots]).toEqual([7, 0, LIMIT, 0])
    expect([...tfs]).toEqual([1, 300, 2, 0])
  })

  it('needs one byte for a posting that is near the one before and occurs once', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => ({ slot: index * 64, tf: 1 }))
    expect(encodePostings(entries).length).toBe(8 + 1000)
  })

  it('refuses slots that do not ascend, and frequencies that are not positive integers', () => {
    const one = encodePostings([{ slot: 5, tf: 1 }])
    expect(() => appendPostings(one, [{ slot: 5, tf: 1 }])).toThrow(RangeError)
    expect(() => encodePostings([{ slot: -1, tf: 1 }])).toThrow(RangeError)
    expect(() => encodePostings([{ slot: LIMIT + 1, tf: 1 }])).toThrow(RangeError)
    expect(() => encodePostings([{ slot: 0, tf: 0 }])).toThrow(RangeError)
    expect(() => encodePostings([{ slot: 0, tf: 1.5 }])).toThrow(RangeError)
  })

  it('refuses to decode into arrays that are too short', () => {
    const blob = encodePostings([{ slot: 5, tf: 1 }])
    expect(() => decodePostings(blob, new Uint32Array(1), new Uint32Array(1), 1)).toThrow(RangeError)
  })
})

describe('a damaged posting list', () => {
  it('is an error when it was cut short', () => {
    fc.assert(
      fc.property(postings, fc.nat(), (entries, cut) => {
        const blob = encodePostings(entries)
        const shorter = blob.subarray(0, cut % blob.length)
        expect(() => listPostings(shorter)).toThrow(/posting list of the text index is damaged/)
      }),
    )
  })

  it('is an error when bytes follow it', () => {
    expect(() => listPostings(new Uint8Array([...encodePostings([{ slot: 5, tf: 1 }]), 0]))).toThrow(/bytes follow/)
  })

  it('either gives an error or as many postings as it counts, on any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
        let found: Posting[] = []
        try {
          found = listPostings(bytes)
        } catch (error) {
          expect(error).toMatchObject({ code: 'store_corrupt' })
          return
        }
        expect(found.length).toBe(postingCount(bytes))
      }),
      { numRuns: 2000 },
    )
  })

  it('is an error when one of its gaps changed', () => {
    const blob = encodePostings([
      { slot: 5, tf: 1 },
      { slot: 9, tf: 1 },
    ])
    blob[8]! += 2
    expect(() => listPostings(blob)).toThrow(/last slot/)
  })
})
