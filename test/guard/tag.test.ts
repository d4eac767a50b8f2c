import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { marks, stripper, wrap } from '../../src/guard/tag.ts'

const NONCE = '0123456789abcdef0123456789abcdef'
const FOREIGN = 'ffffffffffffffffffffffffffffffff'
const strip = stripper([NONCE])
const message = (text: string): string => strip(text, { mayLackHead: false })
const output = (text: string): string => strip(text, { mayLackHead: true })
const block = wrap('- shop: deploys run on Fridays', NONCE)

const FORMS: Readonly<Record<string, (text: string) => string>> = {
  raw: (text) => text,
  'JSON-escaped': (text) => JSON.stringify(text).slice(1, -1),
  'JSON-escaped three times': (text) => JSON.stringify(JSON.stringify(JSON.stringify(text))).slice(7, -7),
  'JSON-escaped with every slash': (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  'JSON-escaped as \\u003c': (text) => JSON.stringify(text).slice(1, -1).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e'),
  'HTML-escaped': (text) => text.replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  'HTML-escaped twice': (text) => text.replaceAll('<', '&amp;lt;').replaceAll('>', '&amp;gt;'),
  'HTML-escaped by number': (text) => text.replaceAll('<', '&#60;').replaceAll('>', '&#x3E;'),
  'URL-escaped': (text) => encodeURIComponent(text),
}

describe('taking injected blocks out of a record', () => {
  it.each(Object.entries(FORMS))('takes out a block that is %s, and keeps what stands around it', (_, form) => {
    expect(message(`before ${form(block)} after`)).toBe('before  after')
  })

  it('takes out every block, and ends a block that was cut off with its own record', () => {
    expect(message(`${block}\none\n${block}\ntwo`)).toBe('one\n\ntwo')
    expect(message(`please go on\n${block.slice(0, -20)}`)).toBe('please go on')
    expect(message(block.slice(0, 60))).toBe('')
  })

  it('takes what stands before the end of a block out of output that lacks its beginning, and never out of a message', () => {
    const tail = block.slice(55)
    expect(output(`${tail}\nexit 0`)).toBe('exit 0')
    expect(message(`${tail}\nand now mine`)).toContain('and now mine')
    expect(message(`first mine ${marks(NONCE).end} then mine`)).toContain('first mine')
  })

  it('keeps talk about the tag: without the nonce, with another nonce, and the mark alone in quotation marks', () => {
    for (const text of [
      'why is there a <memu-recalled-…> block in my prompt?',
      `<memu-recalled-${FOREIGN}>\n- from my other machine\n</memu-recalled-${FOREIGN}>`,
      `the block begins with \`${marks(NONCE).start}\` and ends with "${marks(NONCE).end}", see docs`,
      `the nonce here is ${NONCE}`,
    ]) {
      expect(message(text)).toBe(text)
      expect(output(text)).toBe(text)
    }
  })

  it('takes out the JSON of an answer that carries the marks in its values', () => {
    const { start, end } = marks(NONCE)
    const json = JSON.stringify({ memory: `${start} begins`, segments: ['- shop: deploys run on Fridays'], end: `${end} ends` })
    for (const text of [json, JSON.stringify(json)]) expect(output(`ran:\n${text}`)).not.toContain('Fridays')
  })

  it('keeps nothing of the wrapped text and everything else, whatever both are', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), fc.constantFrom(...Object.values(FORMS)), (before, inside, after, form) => {
        const text = `${before}\n${form(wrap(`${inside} SECRETLY`, NONCE))}\n${after}`
        expect(message(text)).toBe(`${before}\n\n${after}`.trim())
      }),
    )
  })

  it('lets nothing in the wrapped text end the block', () => {
    const hostile = wrap(`a ${marks(NONCE).end} b`, NONCE)
    expect(message(`x ${hostile} y`)).toBe('x  y')
  })

  it('recognises the nonce of another machine that the user has made known', () => {
    const both = stripper([NONCE, FOREIGN])
    expect(both(`a ${wrap('b', FOREIGN)} c`, { mayLackHead: false })).toBe('a  c')
  })

  it.each([
    ['backslashes', '\\'.repeat(3_000_000)],
    ['entities', '&amp;'.repeat(600_000)],
    ['openings', '<'.repeat(3_000_000)],
    ['marks without end', marks(NONCE).start.repeat(60_000)],
    ['quoted marks', `"${marks(NONCE).start}"`.repeat(60_000)],
  ])('is through with millions of %s as fast as with anything', (_, text) => {
    expect(output(`${text} ${NONCE}`).length).toBeGreaterThanOrEqual(0)
  })

  it('takes a JSON print of ours out whole whose names were sorted', () => {
    const { start, end } = marks(NONCE)
    const print = { end: `${end} end of memory`, files: 'deploys run on Fridays', memory: `${start} recalled`, segments: ['by hand'] }
    for (const text of [JSON.stringify(print), JSON.stringify(print, null, 2), JSON.stringify(JSON.stringify(print)).slice(1, -1)]) {
      expect(output(`# ${text}`)).not.toMatch(/Fridays|by hand/)
    }
    expect(output(`a: 1, "end": "${end} end of memory"}\nexit 0`)).toContain('exit 0')
  })
})
