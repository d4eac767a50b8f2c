import { describe, expect, it } from 'vitest'
import type { Answer } from '../../../src/cli/retrieve/answer.ts'
import { formatAnswer } from '../../../src/cli/retrieve/format.ts'

const scores = { score: 0.5, similarity: 0, text_score: 0 }
const times = { created_at: '', updated_at: '' }
const scope = { user_id: '', agent_id: '' }

function segment(text: string, track = 'memory', name = 'notes'): Answer['segments'][number] {
  return { id: 'i', text, track, name, ordinal: 0, source_file: `${track}/${name}`, ...scores }
}

function answer(more: Partial<Answer>): Answer {
  return { segments: [], files: [], resources: [], ...more }
}

describe('an answer for people', () => {
  const lines = [segment('- Deploys go to staging.'), segment('2. Then wait.'), segment('-5 is the floor.')]
  const skill = segment('name: fix-login\ndescription: the flaky test', 'skill', 'fix-login')

  it('shows a line without the mark of the list that it stood in, and a skill as what it is for', () => {
    expect(formatAnswer(answer({ segments: [...lines, skill] }), 'markdown')).toBe(
      [
        '## Lines\n',
        '- Deploys go to staging. (`memory/notes`)',
        '- Then wait. (`memory/notes`)',
        '- -5 is the floor. (`memory/notes`)',
        '- fix-login: the flaky test (`skill/fix-login`)\n',
      ].join('\n'),
    )
    expect(formatAnswer(answer({ segments: [lines[0]!, skill] }), 'text')).toBe(
      '0.50  Deploys go to staging.\n      memory/notes\n0.50  fix-login: the flaky test\n      skill/fix-login\n',
    )
  })

  it.each(['text', 'markdown'] as const)('lets no control character of a name, path or notice reach the terminal in %s', (format) => {
    const hostile = '\u001b[2J\u0007\r\u202e'
    const file = { id: 'i', track: hostile, name: hostile, description: hostile, path: `/v/${hostile}`, ...scope, ...times, ...scores }
    const resource = { id: 'r', url: hostile, path: hostile, caption: hostile, track: 'workspace', ...scope, ...times, ...scores }
    const whole = answer({
      segments: [segment(hostile, hostile, hostile)],
      files: [file, { ...file, path: null }],
      resources: [resource],
      notice: hostile,
    })
    expect(formatAnswer(whole, format)).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/)
  })
})
