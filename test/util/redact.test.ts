import { describe, expect, it } from 'vitest'
import { addressSecrets, redact } from '../../src/util/redact.ts'

const KEY = 'sk-proj-51c0ffee51Q7wxyz'

describe('taking secrets out of words', () => {
  it.each([
    ['whole', `bad key ${KEY}.`, 'bad key [key].'],
    ['glued to other text', `x${KEY}y`, 'x[key]y'],
    ['without its end', `bad key ${KEY.slice(0, 14)}.`, 'bad key [key].'],
    ['without its beginning', `bad key ${KEY.slice(9)}.`, 'bad key [key].'],
    ['as a piece of its middle', `bad key <${KEY.slice(8, 15)}>.`, 'bad key <[key]>.'],
    ['with stars in its middle', 'bad key: sk-pr**********wxyz.', 'bad key: [key].'],
    ['with dots in its middle', 'bad key: sk-p...xyz.', 'bad key: [key].'],
    ['by its end behind an ellipsis', 'bad key …xyz', 'bad key …[key]'],
    ['by its last four characters', 'the key ending in "wxyz" is expired', 'the key ending in "[key]" is expired'],
    ['by its first characters', 'no key begins with sk-pr', 'no key begins with [key]'],
    ['encoded for a URL', `?k=${encodeURIComponent(KEY)}`, '?k=[key]'],
    ['in base64', Buffer.from(KEY).toString('base64'), '[key]'],
  ])('hides a key %s', (_how, text, expected) => expect(redact(text, [KEY])).toBe(expected))

  it.each(['The model text-embedding-3-small is unknown.', 'Ask the project for a key (sk).', 'wx, xyz and 51', ''])(
    'leaves words alone that only look like a piece (%j)',
    (text) => expect(redact(text, [KEY])).toBe(text),
  )

  it('leaves no six characters of a secret in a row, wherever it is cut', () => {
    const pieces = (secret: string): string[] => Array.from({ length: secret.length - 5 }, (_, at) => secret.slice(at, at + 6))
    for (let from = 0; from < KEY.length; from++)
      for (let to = from + 6; to <= KEY.length; to++) {
        const shown = redact(`a${KEY.slice(from, to)}b`, [KEY])
        expect(pieces(KEY).filter((piece) => shown.includes(piece))).toEqual([])
      }
  })

  it('hides user, password and the values of a query, also as they are before encoding', () => {
    const secrets = addressSecrets('http://us%20er:p%40ss@h/v1?key=Q%2Fz&token=t&alone#frag')
    const shown = redact('http://us er:p@ss@h/v1?key=Q/z&token=t&alone#frag, raw us%20er:p%40ss Q%2Fz; the total', secrets)
    expect(shown).toBe('http://[key]:[key]@h/v1?key=[key]&token=[key]&[key]#[key], raw [key]:[key] [key]; the total')
    expect(addressSecrets('http://h/v1')).toEqual([])
    expect(addressSecrets('no address')).toEqual([])
  })
})
