import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tokenCheck } from '../../../src/keel/server/token.ts'

describe('tokenCheck', () => {
  it('admits its own token and its own cookie, and nothing else', () => {
    const word = fc.stringMatching(/^[\w.~+/-]{1,40}$/)
    fc.assert(
      fc.property(word, word, (token, other) => {
        const check = tokenCheck(token)
        expect(check.admits({ authorization: `Bearer ${token}` })).toBe(true)
        expect(check.admits({ cookie: check.cookie.split(';')[0] })).toBe(true)
        expect(check.admits({})).toBe(false)
        expect(check.admits({ authorization: token })).toBe(false)
        expect(check.admits({ cookie: `keel_session=${token}` })).toBe(false)
        expect(check.admits({ authorization: `Bearer ${other}` })).toBe(other === token)
        expect(check.admits({ cookie: tokenCheck(other).cookie.split(';')[0] })).toBe(other === token)
      }),
    )
  })
})
