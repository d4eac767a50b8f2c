import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor } from '../../src/memory/cursor.ts'

test('a cursor gives back the tuple it was made of, whatever the names', () => {
  const text = fc.string({ unit: 'grapheme' })
  fc.assert(
    fc.property(text, text, text, (track, name, id) => {
      const cursor = encodeCursor({ track, name, id })
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/)
      expect(decodeCursor(cursor)).toEqual({ track, name, id })
    }),
  )
})

test('anything else is refused with a clear error', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(() => decodeCursor(text)).toThrow(expect.objectContaining({ code: 'invalid_cursor', exit: 2 }))
    }),
  )
})
