import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { corpus, corpusFiles } from './corpus.ts'

const samples = corpus()

describe('the corpus of labelled samples', () => {
  it('holds at least 200 samples of each kind, and about a third of each is held back', () => {
    for (const kind of ['secret', 'clean']) {
      const ofKind = samples.filter((sample) => sample.kind === kind)
      const held = ofKind.filter((sample) => sample.held).length
      expect(ofKind.length).toBeGreaterThanOrEqual(200)
      expect(held / ofKind.length).toBeGreaterThan(0.3)
      expect(held / ofKind.length).toBeLessThan(0.4)
    }
  })

  it('gives every sample an id and a text of its own', () => {
    expect(new Set(samples.map((sample) => sample.id)).size).toBe(samples.length)
    expect(new Set(samples.map((sample) => sample.text)).size).toBe(samples.length)
  })

  it('marks a secret in every secret sample and none in a clean one', () => {
    for (const { id, kind, secrets } of samples) {
      expect(secrets.length > 0, id).toBe(kind === 'secret')
    }
  })

  it('marks secrets that stand in the text and are long enough to be missed', () => {
    for (const { id, text, secrets } of samples) {
      for (const secret of secrets) {
        expect(text, id).toContain(secret)
        expect(secret.length, id).toBeGreaterThanOrEqual(4)
      }
    }
  })

  it('leaves no mark in a loaded text', () => {
    for (const { id, text } of samples) expect(text, id).not.toMatch(/[¦⟦⟧]/)
  })

  it('stores no secret in one piece, nor a prefix that scanners know', () => {
    const stored = corpusFiles.map(({ url }) => readFileSync(url, 'utf8')).join('')
    for (const { id, secrets } of samples) {
      for (const secret of secrets) expect(stored.includes(JSON.stringify(secret).slice(1, -1)), id).toBe(false)
    }
    expect(stored).not.toMatch(/gh[pousr]_\w{4}|github_pat_\w{4}|A[KS]IA[A-Z0-9]{4}|AIza\w{4}|xox[abp]-\d/)
    expect(stored).not.toMatch(/sk-(ant|proj)-\w|[prs]k_(live|test)_\w{4}|hooks\.slack\.com|-----BEGIN [A-Z ]*PRIVATE|eyJ\w{4}/)
  })
})
