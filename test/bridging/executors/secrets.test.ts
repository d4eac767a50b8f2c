import { describe, expect, it } from 'vitest'
import { mayHoldSecret } from '../../../src/bridging/executors/builtin/secrets.ts'
import { random } from '../../helpers/random.ts'
import { example, SAMPLES } from '../../redaction/samples.ts'

describe('what the built-in rules keep nothing of', () => {
  it('is all that redaction knows', () => {
    const { next } = random(5)
    const texts = SAMPLES.map((template) => example(template, next).text)
    expect(texts.length).toBeGreaterThan(100)
    expect(texts.filter((text) => !mayHoldSecret(text))).toEqual([])
  })

  it.each([
    ['a place where a secret was', 'use [removed: jwt] for the staging login'],
    ['a code too short for redaction', 'the pin is 4821'],
    ['a hash', 'we are at 9fceb02d0ae598e95dc970b74767f19372d61af8'],
  ])('is %s', (_, text) => expect(mayHoldSecret(text)).toBe(true))

  it.each(['Policy: secrets live in Vault.', 'Rotate the tokens on the first of the month.', 'Deploys run on fridays.'])(
    'is not what only speaks of them (%s)',
    (text) => expect(mayHoldSecret(text)).toBe(false),
  )
})
