import { describe, expect, it } from 'vitest'
import type { SentBrief } from '../../src/keel/server/app.ts'
import { briefPage } from '../../src/keel/server/pages/pages.ts'
import { appState } from './states.ts'

const CLAUDE = { name: 'Claude Code', kind: 'program' } as const
const BRIEF: SentBrief = {
  text: 'It is Friday.',
  at: '2026-06-05T10:00:00.000Z',
  to: 'claude',
  destination: CLAUDE,
  prompts: ['Rules. It is Friday.'],
}

/** The words that a person reads. */
function words(brief: SentBrief, offscreen = {}): string {
  const [, main = ''] = /<main[^>]*>(.*)<\/main>/s.exec(briefPage(brief, appState(offscreen)))!
  return main.replace(/<[^>]*>/g, '').replace(/\s+/g, ' ')
}

describe('What was sent', () => {
  it('says of a program that it hands it on, and shows all of it with the instructions', () => {
    expect(words(BRIEF)).toMatch(
      /This went to Claude Code, a program of this machine, which hands it on over the network to its provider, at/,
    )
    expect(words(BRIEF)).toContain('All that was sentRules. It is Friday.')
  })

  it('says to which address it went, and whether that is this machine', () => {
    const to = (destination: SentBrief['destination'], name: string): string =>
      words({ ...BRIEF, to: name, ...(destination && { destination }) })
    expect(to({ name: 'http://localhost:11434', kind: 'here' }, 'ollama')).toContain('to Ollama at http://localhost:11434, on this machine')
    expect(to({ name: 'https://api.openai.com/v1', kind: 'elsewhere' }, 'openai')).toContain(
      'to the model server at https://api.openai.com/v1, over the network',
    )
  })

  it('says nothing was sent where nothing was: by the rules, by a program that did not start, and before it is asked', () => {
    const { destination: _, ...rules } = BRIEF
    expect(words({ ...rules, to: 'builtin', prompts: [] })).toContain('Nothing was sent: it stayed within Keel.')
    expect(words({ ...BRIEF, prompts: [] })).toContain('Nothing was sent: it did not get that far.')
    expect(words({ ...BRIEF, prompts: [] }, { busy: 'proposing' })).toContain('Nothing was sent yet.')
    for (const brief of [
      { ...rules, prompts: [] },
      { ...BRIEF, prompts: [] },
    ])
      expect(words(brief)).not.toMatch(/This went|All that was sent/)
  })

  it('shows each question where it was asked more than once', () => {
    const twice = words({ ...BRIEF, prompts: ['First.', 'Second.'] })
    expect(twice).toContain('in 2 questions')
    expect(twice).toMatch(/question 1First\..*question 2Second\./)
  })
})
