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
  fc.assert(fc.property(text, (whole) => void expect(demoteHeadings(plainText(whole))).not.toMatch(/^ {0,3}#{1,2}(?:\s|$)/m)))
})
