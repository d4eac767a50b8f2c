import fc from 'fast-check'
import { Decompress } from 'fzstd'
import { describe, expect, it } from 'vitest'
import { FRAME_LIMIT, unpackFrame } from '../../src/hosts/openclaw/frame.ts'
import { xxh64Low } from '../../src/hosts/openclaw/xxh64.ts'
import { storedFrame } from '../helpers/zstd-frame.ts'

/** `zstd -1 --check` over the same text, from a file (with its length) and from a pipe (without). */
const PACKED = [
  'KLUv/WSlCF0FAAIMJSBQa5sDIOJF0sSSlPfiZFtO5xqkgatbkRUq8gacRmYm9M+T8FgZjJ9pWMQcFl0ZYq6wmqJtyzaGFhi6Kmn0One+COjVrzLEycidG/2lCA7E6GSRqQaSN1vzgmRsjX4yxg1MPri7xHF4hwFncBxC4BAAilMYvSy1zZeyTplN0cli9YxanHwooxPFyWdQTfNl9JeHdSMGAPxFUl+CEA6SKbhmTjBNTI6Gow9B/Pg=',
  'KLUv/QRIbQUAoowmIVBrmwMg4kXShMnu37HJtpzONUgDV7ciK1TkDTiNzEzoAc+T8JgxGD/TsEgdFp0pYq6wGkPblm2KFhSdKWn0Ol8nr/NFQC/7MkWcjNy50V+K4ECMThaZaiBV18mbrXlBqq7RT2XcwOSDu0sch3cYcAbHIQQOAaA4hdHLUtt8KeuU2Rg6WSw7oxYnH8roRHHyGVTTfBn95WHdCAQA9IukHkIyergmk8kpcBQPQfz4',
].map((text) => Buffer.from(text, 'base64'))
const LINES = 'line of output number one two three\\\\n'.repeat(60)
const TEXT = `{"type":"message","id":"a1","parentId":null,"timestamp":"2026-09-01T08:00:01.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"exec","content":[{"type":"text","text":"${LINES}"}]}}`

const unpack = (packed: Uint8Array, length: number): string => Buffer.from(unpackFrame(packed, length, Decompress)).toString('utf8')

describe('a packed event', () => {
  it('is unpacked, whether the frame tells its length or not', () => {
    for (const packed of PACKED) expect(unpack(packed, TEXT.length)).toBe(TEXT)
  })

  it('is unpacked whatever its length and in however many blocks', () => {
    for (const length of [0, 1, 31, 32, 33, 1000, 128 * 1024, 128 * 1024 + 1, FRAME_LIMIT - 200]) {
      const bytes = Buffer.alloc(length, 'abcdefg\n漢')
      expect(Buffer.compare(unpackFrame(storedFrame(bytes), length, Decompress), bytes), `${length}`).toBe(0)
    }
  })

  it.each([
    ['another length', (packed: Buffer) => [packed, TEXT.length - 1] as const],
    ['a length beyond what an event has', (packed: Buffer) => [packed, FRAME_LIMIT + 1] as const],
    ['a second frame behind it', (packed: Buffer) => [Buffer.concat([packed, packed]), TEXT.length] as const],
    ['its end cut off', (packed: Buffer) => [packed.subarray(0, -1), TEXT.length] as const],
    ['nothing in it', () => [Buffer.alloc(0), 0] as const],
    ['another checksum', (packed: Buffer) => [Buffer.concat([packed.subarray(0, -4), Buffer.from([1, 2, 3, 4])]), TEXT.length] as const],
  ])('with %s is refused', (_, change) => {
    for (const packed of PACKED) expect(() => unpack(...change(packed))).toThrow(/event/)
  })

  it('asks for no more memory than an event may, whatever it says it needs', () => {
    const window = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x04, 0xff, 1, 0, 0, 0, 0, 0, 0])
    expect(() => unpack(window, 10)).toThrow('too much memory')
    const size = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0, ...Buffer.from(new BigUint64Array([1n << 40n]).buffer), 1, 0, 0])
    expect(() => unpack(size, 10)).toThrow('another length')
  })

  it('that unpacks to more than it says ends there', () => {
    // Runs of 128 kB, four bytes each: ten thousand of them would be more than a gigabyte.
    const run = Buffer.from([(((128 * 1024) << 3) & 0xff) | 2, ((128 * 1024 * 8) >> 8) & 0xff, (128 * 1024 * 8) >> 16, 65])
    const last = Buffer.from([run[0]! | 1, run[1]!, run[2]!, 65])
    const bomb = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58]), ...Array.from({ length: 10_000 }, () => run), last])
    const before = process.memoryUsage().arrayBuffers
    expect(() => unpack(bomb, 1000)).toThrow('longer than it says')
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1024 * 1024)
  })

  it('that is damaged anywhere gives an error and never other words', () => {
    fc.assert(
      fc.property(fc.nat(PACKED[0]!.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = Buffer.from(PACKED[0]!)
        damaged[at] = damaged[at]! ^ change
        let text = TEXT
        try {
          text = unpack(damaged, TEXT.length)
        } catch {
          return
        }
        expect(text).toBe(TEXT)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('XXH64', () => {
  it('gives the lower half of the published values', () => {
    expect(xxh64Low(Buffer.from(''))).toBe(0x51d8e999)
    expect(xxh64Low(Buffer.from('a'))).toBe(0xa98c6e5b)
    expect(xxh64Low(Buffer.from('abc'))).toBe(0xad770999)
  })
})
