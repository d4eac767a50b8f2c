import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cutAtLine, demoteHeadings, plainText } from '../../../src/keel/knowledge/text.ts'

const text = fc.string({ unit: fc.constantFrom('a', '\n', 'ä', '🌲', '#', ' ', '\r', '\u0000'), maxLength: 60 })

it('cuts bytes at the end of a line, or between two characters, and never in the middle of one', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 4, max: 40 }), (whole, limit) => {
      const bytes = new TextEncoder().encode(whole)
      const cut = cutAtLine(bytes, limit)
      const kept = new TextDecoder('utf-8', { fatal: true }).decode(cut)
      expect(whole.startsWith(kept)).toBe(true)
      expect(cut.length).toBeLessThanOrEqual(limit)
      if (bytes.length <= limit) expect(kept).toBe(whole)
      else if (new TextDecoder().decode(bytes.subarray(0, limit)).includes('\n')) expect(kept.endsWith('\n')).toBe(true)
      else expect(cut.length).toBeGreaterThan(limit - 4)
    }),
  )
})

it('leaves no heading that a brief has itself', () => {
  const markdown = fc.string({ unit: fc.constantFrom('a', '\n', '#', ' ', '-', '=', '\u00a0', '\u200b', '\r', '>', '1.'), maxLength: 60 })
  fc.assert(
    fc.property(fc.oneof(text, markdown), (whole) => {
      const demoted = demoteHeadings(plainText(whole))
      expect(demoted).not.toMatch(/^\s*#{1,2}(?:\s|$)/m)
      expect(demoted).not.toMatch(/^\s*##(?!#)/m)
      // A word, with a line under it.
      expect(demoted).not.toMatch(/^a.*\n {0,3}(?:-+|=+)[^\S\n]*$/m)
    }),
    { numRuns: 1_000 },
  )
})

it.each([
  ['##Tasks', '#### Tasks'],
  ['  ## Tasks', '#### Tasks'],
  ['#tag', '#tag'],
  ['Tasks\n-----\n- one', '#### Tasks\n- one'],
  ['Goals\n  ===  \nrun', '### Goals\nrun'],
  ['#tag\n---', '#### #tag'],
  ['- one\n---\ntwo', '- one\n---\ntwo'],
  ['one\n\n---\n\ntwo', 'one\n\n---\n\ntwo'],
  ['a | b\n--- | ---', 'a | b\n--- | ---'],
  ['######', '######'],
])('puts the headings of %j below those of a brief', (markdown, demoted) => {
  expect(demoteHeadings(markdown)).toBe(demoted)
})
