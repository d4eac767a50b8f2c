import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type TokenCheck, tokenCheck } from '../../../src/keel/server/token.ts'

const enter = (check: TokenCheck): string => check.newSession().split(';')[0]!

describe('tokenCheck', () => {
  it('admits its own token and its own sessions, and nothing else', () => {
    const word = fc.stringMatching(/^[\w.~+/-]{1,40}$/)
    fc.assert(
      fc.property(word, word, (token, other) => {
        const check = tokenCheck(token)
        expect(check.admits({ authorization: `Bearer ${token}` })).toBe(true)
        expect(check.admits({ cookie: enter(check) })).toBe(true)
        expect(check.admits({})).toBe(false)
        expect(check.admits({ authorization: token })).toBe(false)
        expect(check.admits({ cookie: `keel_session=${token}` })).toBe(false)
        expect(check.admits({ authorization: `Bearer ${other}` })).toBe(other === token)
        expect(check.admits({ cookie: enter(tokenCheck(other)) })).toBe(false)
      }),
    )
  })

  it('knows no session of a run before, though the token is the same', () => {
    const before = enter(tokenCheck('the-same-token'))
    expect(tokenCheck('the-same-token').admits({ cookie: before })).toBe(false)
  })

  it('lets several browsers in at once, and forgets the first of too many', () => {
    const check = tokenCheck('a-token')
    const entered = Array.from({ length: 65 }, () => enter(check))
    expect(new Set(entered).size).toBe(65)
    expect(entered.map((cookie) => check.admits({ cookie }))).toEqual([false, ...Array.from({ length: 64 }, () => true)])
  })
})
