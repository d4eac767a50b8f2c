import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { shrinker } from '../../src/util/jsonl/shrink.ts'
import { type ByteSource, fingerprint, type LineFilter, matches, openFile, parseLine, readLines } from '../../src/util/jsonl.ts'

function memory(bytes: Buffer): ByteSource {
  return { readAt: (position, into) => bytes.copy(into, 0, position, position + into.length), close: () => {} }
}

function linesOf(
  bytes: Buffer,
  from = 0,
  filter?: LineFilter,
  limit?: number,
): { texts: (string | undefined)[]; offsets: number[]; position: number } {
  const reader = readLines(memory(bytes), from, filter, limit)
  const texts: (string | undefined)[] = []
  const offsets: number[] = []
  for (const line of reader) {
    texts.push(line.bytes?.toString())
    offsets.push(line.offset)
  }
  return { texts, offsets, position: reader.position }
}

describe('readLines', () => {
  it('gives every newline-terminated line with its offset, from any line on', () => {
    const line = fc.string({ unit: 'grapheme', maxLength: 30 }).map((text) => text.replaceAll('\n', ''))
    fc.assert(
      fc.property(fc.array(line), line, fc.nat(), (lines, rest, pick) => {
        const bytes = Buffer.from(lines.map((text) => `${text}\n`).join('') + rest)
        const all = linesOf(bytes)
        expect(all.texts).toEqual(lines)
        expect(all.position).toBe(bytes.length - Buffer.byteLength(rest))
        if (lines.length === 0) return
        const at = pick % lines.length
        expect(linesOf(bytes, all.offsets[at]).texts).toEqual(lines.slice(at))
      }),
    )
  })

  it('holds lines longer than its buffer whole, up to the limit', () => {
    const long = 'x'.repeat(3_000_000)
    expect(linesOf(Buffer.from(`a\n${long}\nb\n`)).texts).toEqual(['a', long, 'b'])
  })

  it('gives up a line that stays over the limit, and only that one', () => {
    const numbers = JSON.stringify(Array.from({ length: 2_000_000 }, (_, i) => i))
    expect(linesOf(Buffer.from(`a\n${numbers}\nb\n`)).texts).toEqual(['a', undefined, 'b'])
  })

  it('leaves a long line without its newline for later', () => {
    const bytes = Buffer.from(`a\n${'x'.repeat(9_000_000)}`)
    expect(linesOf(bytes)).toMatchObject({ texts: ['a'], position: 2 })
  })

  describe('with a filter', () => {
    const filter: LineFilter = { skip: (head) => head.toString().startsWith('{"skip"'), starts: [Buffer.from('{"keep"')] }

    it('passes over lines of any length and knows where it is behind them', () => {
      const skipped = `{"skip":"${'s'.repeat(2_000_000)}"}`
      const bytes = Buffer.from(`{"skip":1}\n{"keep":1}\n${skipped}\n{"keep":2}\n{"skip":2}\n`)
      expect(linesOf(bytes, 0, filter)).toMatchObject({ texts: ['{"keep":1}', '{"keep":2}'], position: bytes.length })
    })

    it('lets its caller in now and then while it passes over much', () => {
      const line = `{"skip":"${'s'.repeat(1_000_000)}"}\n`
      const many = Buffer.from(line.repeat(40))
      const one = Buffer.from(`{"skip":"${'s'.repeat(40_000_000)}"}\n`)
      for (const bytes of [many, one]) {
        const { texts, position } = linesOf(bytes, 0, filter)
        expect(texts).toEqual(['', ''])
        expect(position).toBe(bytes.length)
      }
    })

    it.each([10, 600_000, 524_280, 1_048_570])('finds a record glued to a torn one after %d bytes', (length) => {
      const bytes = Buffer.from(`{"skip":"${'s'.repeat(length)}{"keep":1}\n{"keep":2}\n`)
      const { texts, position } = linesOf(bytes, 0, filter)
      expect(texts[0]?.endsWith('{"keep":1}')).toBe(true)
      expect(texts[1]).toBe('{"keep":2}')
      expect(position).toBe(bytes.length)
    })
  })
})

describe('shrinker', () => {
  const shrink = (text: string, limit = 8 * 1024 * 1024, step = 1000): string | undefined => {
    const it = shrinker(limit)
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += step) it.push(bytes.subarray(at, at + step))
    return it.result()?.toString()
  }

  it('changes nothing in a line of ordinary words, however it is cut into pieces', () => {
    fc.assert(
      fc.property(fc.json(), fc.integer({ min: 1, max: 50 }), (json, step) => {
        expect(shrink(json, undefined, step)).toBe(json)
      }),
    )
  })

  it('drops long base64 runs, wrapped or not, and keeps the words around them', () => {
    const data = Buffer.alloc(30_000, 77).toString('base64')
    const wrapped = data.replace(/.{76}/g, '$&\n')
    const line = JSON.stringify({ a: `before ![x](data:image/png;base64,${data}) after`, b: wrapped, c: 'kept' })
    const parsed = JSON.parse(shrink(line) ?? '') as Record<string, string>
    expect(parsed.a).toMatch(/^before !\[x\]\(data:image\/png;base64,\w{500,600}…\) after$/)
    expect(parsed.b?.length).toBeLessThan(1000)
    expect(parsed.c).toBe('kept')
  })

  it('keeps a list of words, one a line, which is no base64', () => {
    const line = JSON.stringify({ list: Array.from({ length: 500 }, (_, i) => `name${i}`).join('\n') })
    expect(shrink(line)).toBe(line)
  })

  it('cuts a very long string between characters, and the rest stays JSON', () => {
    for (const unit of ['word ', 'é ', '🙂 ', '\\ ', '"" ', '\u0001 ']) {
      const line = JSON.stringify({ long: unit.repeat(1_500_000), after: 'here' })
      const parsed = JSON.parse(shrink(line) ?? '') as Record<string, string>
      expect(parsed.after).toBe('here')
      expect(parsed.long).toMatch(/…$/)
      expect(unit.repeat(1_500_000).startsWith((parsed.long ?? '').slice(0, -1))).toBe(true)
    }
  })

  it('gives up what has too many parts', () => {
    const line = JSON.stringify(Array.from({ length: 10_000 }, () => 'x'))
    expect(shrink(line, line.length)?.length).toBe(line.length)
    expect(shrink(line, line.length - 1) === undefined).toBe(true)
  })
})

describe('parseLine', () => {
  const isRecord = (value: Readonly<Record<string, unknown>>): boolean => value.type === 'record'
  const record = (text: string): string => JSON.stringify({ type: 'record', inner: { text, more: [{ a: 1 }] } })

  it('takes what parses as it is, and a blank line for nothing', () => {
    expect(parseLine('{"any":1}', isRecord)).toEqual({ records: [{ any: 1 }] })
    for (const blank of ['', '  \r', '\0\0', '\uFEFF']) expect(parseLine(blank, isRecord)).toEqual({ records: [] })
  })

  it('saves every whole record of a line around a torn one, whatever the records hold', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.double({ min: 0.05, max: 0.95, noNaN: true }), (a, b, c, cut) => {
        const torn = record(b)
        const half = torn.slice(0, Math.ceil(torn.length * cut))
        const { records, bad } = parseLine(record(a) + half + record(c), isRecord)
        expect(records).toContainEqual(JSON.parse(record(a)))
        expect(records).toContainEqual(JSON.parse(record(c)))
        expect(records).toHaveLength(2)
        expect(bad).toBeDefined()
      }),
    )
  })

  it('splits records without a newline between them, and nothing is bad', () => {
    expect(parseLine(record('a') + record('}{') + record('c'), isRecord)).toEqual({
      records: ['a', '}{', 'c'].map((text) => JSON.parse(record(text)) as object),
    })
  })

  it('does not take a part of a torn record for a record', () => {
    const { records, bad } = parseLine('{"type":"outer","inner":{"type":"part"}', isRecord)
    expect(records).toEqual([])
    expect(bad).toBe('not JSON')
  })

  it('ends soon on a line made to be slow', () => {
    const { records } = parseLine('{"a":'.repeat(200_000), isRecord)
    expect(records).toEqual([])
  })
})

describe('fingerprint', () => {
  it('matches as long as the bytes that it was made over begin the file', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5000 }), fc.uint8Array({ maxLength: 50 }), (before, after) => {
        const made = fingerprint(memory(Buffer.from(before)), before.length)
        expect(matches(memory(Buffer.concat([before, after])), made)).toBe(true)
        if (before.length > 0) expect(matches(memory(Buffer.from(before.subarray(0, -1))), made)).toBe(false)
      }),
    )
  })

  it.each([0, 500, 1023, 3999, 4999])('notices a change of byte %d of 5000', (at) => {
    const bytes = Buffer.alloc(5000, 1)
    const made = fingerprint(memory(bytes), bytes.length)
    const changed = Buffer.from(bytes)
    changed[at] = 2
    expect(matches(memory(changed), made)).toBe(false)
  })
})

describe('openFile', () => {
  it('reads by position and says what is wrong with what it may not read', () => {
    const directory = fs.mkdtempSync(join(tmpdir(), 'memu-bytes-'))
    try {
      const path = join(directory, 'log')
      fs.writeFileSync(path, 'abcdef')
      const source = openFile(path)
      const into = Buffer.alloc(4)
      expect([source.readAt(1, into), into.toString()]).toEqual([4, 'bcde'])
      expect([source.readAt(5, into), source.readAt(99, into)]).toEqual([1, 0])
      source.close()
      source.close()
      for (const bad of [join(directory, 'none'), directory]) {
        expect(() => openFile(bad)).toThrow(expect.objectContaining({ code: 'session_unreadable' }) as Error)
      }
    } finally {
      fs.rmSync(directory, { recursive: true, force: true })
    }
  })
})
