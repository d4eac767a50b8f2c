import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { spanFinder } from '../../src/redaction/find-spans.ts'
import { createRedactor } from '../../src/redaction/redact.ts'
import { RULES } from '../../src/redaction/rules.ts'
import { random } from '../helpers/random.ts'
import { example, SAMPLES } from './samples.ts'

const redact = createRedactor()
/** The same values every time: of ten thousand random ones, one looks like a word, and is rightly left alone. */
const SEED = 20251

describe('the table of rules', () => {
  it('has an example for every rule', () => {
    const texts = SAMPLES.map((template) => example(template, random(SEED).next).text)
    const without = RULES.filter((rule) => {
      const find = spanFinder([rule])
      return !texts.some((text) => find(text).length > 0)
    })
    expect(without.map(({ name, hints }) => `${name}: ${hints[0]}`)).toEqual([])
  })

  it('names rules so that a mark is never taken for a secret', () => {
    for (const { name } of RULES) expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
  })

  it('has no hint too short for the scan', () => {
    for (const hint of RULES.flatMap(({ hints }) => hints)) expect(hint.length, hint).toBeGreaterThanOrEqual(3)
  })

  it('finds the secret of every example, whatever stands around it, and leaves that alone', () => {
    const words = fc.stringMatching(/^[a-z ,.\n]{0,40}$/)
    fc.assert(
      fc.property(words, words, fc.nat(), (before, after, seed) => {
        for (const template of SAMPLES) {
          const { text, secrets } = example(template, random(seed).next)
          const result = redact(`${before}\n${text}\n${after}`).text
          for (const secret of secrets) expect(result, template).not.toContain(secret)
          expect(result.startsWith(`${before}\n`) && result.endsWith(`\n${after}`), template).toBe(true)
        }
      }),
      { numRuns: 8, seed: SEED },
    )
  })

  it('finds most of them also as JSON writes them in a log', () => {
    const examples = SAMPLES.map((template) => example(template, random(SEED).next))
    const missed = examples.filter(({ text, secrets }) => {
      const result = redact(JSON.stringify({ content: text })).text
      return secrets.some((secret) => result.includes(JSON.stringify(secret).slice(1, -1)))
    })
    expect(missed.length / examples.length, missed.map(({ text }) => text).join('\n')).toBeLessThan(0.05)
  })

  it('ends on text that is nothing but hints, or a hint and one thing over and over', () => {
    for (const { hints } of RULES)
      for (const unit of [hints[0]!, `${hints[0]}=`, `${hints[0]}: "`, `${hints[0]} a`, `${hints[0]}/`]) redact(unit.repeat(500))
    for (const unit of ['a', ' ', '"', '\\', '-', 'A1', 'eyJ', '://a:', '-----BEGIN PRIVATE KEY-----'])
      redact(unit.repeat(5_000_000 / unit.length))
  })
})
