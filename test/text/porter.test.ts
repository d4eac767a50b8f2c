import fc from 'fast-check'
import { stemmer } from 'stemmer'
import { expect, test } from 'vitest'
import { porter } from '../../src/text/porter.ts'

/** Parts that the rules look at, so that random words meet all of them. */
const PARTS =
  'a e i o u y s t l b z x w ss sses ies ied eed ed ing at bl iz ational tional enci anci izer bli alli entli eli ousli ization ation ator alism iveness fulness ousness aliti iviti biliti logi icate ative alize iciti ical ful ness al ance ence er ic able ible ant ement ment ent ion ou ism ate iti ous ive ize ll pp hop fil run happ gener cat'.split(
    ' ',
  )

test('gives the stems of the package that it stands in for, whatever the word', () => {
  const words = fc.array(fc.constantFrom(...PARTS), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''))
  fc.assert(
    fc.property(words, (word) => {
      expect(porter(word)).toBe(stemmer(word))
    }),
    { numRuns: 20_000 },
  )
})

test('gives the same for random letters', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,12}$/), (word) => {
      expect(porter(word)).toBe(stemmer(word))
    }),
    { numRuns: 20_000 },
  )
})
