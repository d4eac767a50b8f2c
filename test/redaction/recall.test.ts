import { describe, expect, it } from 'vitest'
import { createRedactor } from '../../src/redaction/redact.ts'
import type { Sample } from './corpus.ts'
import { corpus } from './corpus.ts'

const redact = createRedactor()
/** Characters of a secret in a row that tell something of it. */
const TELLING = 6
const MARKS = /\[removed: [a-z0-9-]+\]/g

/** The first telling part of a secret that survives where the secret stood. */
function survivor(secret: string, sample: Sample, result: string): string | undefined {
  const kept = result.replace(MARKS, '')
  const elsewhere = sample.text.replaceAll(secret, '')
  const length = Math.min(secret.length, TELLING)
  for (let at = 0; at + length <= secret.length; at++) {
    const part = secret.slice(at, at + length)
    if (kept.includes(part) && !elsewhere.includes(part)) return part
  }
  return undefined
}

/** Secrets of which a telling part survives, and clean samples that are changed. */
function judge(samples: readonly Sample[]): { recall: number; falsePositives: number; what: string } {
  const secrets = samples.flatMap((sample) => sample.secrets.map((secret) => ({ sample, secret })))
  const missed = secrets.filter(({ sample, secret }) => survivor(secret, sample, redact(sample.text).text) !== undefined)
  const clean = samples.filter(({ kind }) => kind === 'clean')
  const changed = clean.filter(({ text }) => redact(text).text !== text)
  return {
    recall: 1 - missed.length / secrets.length,
    falsePositives: changed.length / clean.length,
    what: `${missed.length} of ${secrets.length} secrets survive, ${changed.length} of ${clean.length} clean samples are changed`,
  }
}

describe('the rules', () => {
  it('leave no telling part of 99 in 100 secrets of the open corpus, and change at most 1 in 100 clean samples', () => {
    const { recall, falsePositives, what } = judge(corpus().filter(({ held }) => !held))
    expect(recall, what).toBeGreaterThanOrEqual(0.99)
    expect(falsePositives, what).toBeLessThanOrEqual(0.01)
  })

  // Read by nobody who wrote rules while they were judged by it: 245 of 250, 3 of 148. Then those three and some of what was missed were
  // looked at and mended, so that the next change wants fresh samples for an honest figure.
  it('do nearly as well on the third that hardly any rule was written for', () => {
    const { recall, falsePositives, what } = judge(corpus().filter(({ held }) => held))
    expect(recall, what).toBeGreaterThanOrEqual(0.98)
    expect(falsePositives, what).toBeLessThanOrEqual(0.01)
  })
})
