import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { toAnswer } from '../../../src/cli/retrieve/answer.ts'
import type { RetrievedFile } from '../../../src/memory/backend.ts'

let view: string
beforeEach(() => {
  view = join(fs.mkdtempSync(join(tmpdir(), 'memu-answer-')), 'view')
})
afterEach(() => fs.rmSync(join(view, '..'), { recursive: true, force: true }))

function file(more: Partial<RetrievedFile>): RetrievedFile {
  const times = { created_at: '2026-01-01T00:00:00.000Z', updated_at: '2026-01-01T00:00:00.000Z' }
  const scores = { score: 0.123456, similarity: 1 / 3, text_score: 2 }
  return {
    id: 'id',
    track: 'memory',
    name: 'notes',
    description: '',
    content: 'text',
    user_id: '',
    agent_id: '',
    ...times,
    ...scores,
    ...more,
  }
}

describe('the answer of retrieve', () => {
  it('keeps every copy under the view, each in a file of its own, whatever track and name are', () => {
    const odd = [
      '../../x',
      '/etc/passwd',
      'CON',
      'a/b',
      'A',
      'a',
      'ä'.normalize('NFD'),
      'ä'.normalize('NFC'),
      '🐈',
      'x'.repeat(300),
      '',
      '..',
    ]
    const files = odd.flatMap((name) => [
      file({ name, content: `by name: ${name}.` }),
      file({ track: name, content: `by track: ${name}.` }),
    ])
    const answer = toAnswer({ segments: [], files, resources: [] }, view)
    const paths = answer.files.map(({ path }) => path!)
    expect(new Set(paths.map((path) => path.normalize('NFC').toLowerCase())).size).toBe(files.length)
    for (const [at, path] of paths.entries()) {
      expect(relative(view, path)).not.toMatch(/^\.\.|^\//)
      expect(fs.readFileSync(path, 'utf8')).toContain(files[at]!.content)
    }
  })

  it('keeps files of two users apart that share their name', () => {
    const files = [file({ content: 'nobody' }), file({ user_id: 'ada', content: 'ada' }), file({ agent_id: 'ada', content: 'agent' })]
    const paths = toAnswer({ segments: [], files, resources: [] }, view).files.map(({ path }) => path!)
    expect(paths.map((path) => fs.readFileSync(path, 'utf8').trim().split('\n').at(-1))).toEqual(['nobody', 'ada', 'agent'])
    expect(relative(view, paths[0]!)).toBe(join('memory', 'notes.md'))
  })

  it('keeps provenance, rounds scores, and joins the notice of the engine with its own', () => {
    fs.writeFileSync(view, 'in the way')
    const provenance = { host: 'codex', sessions: ['s'] }
    const answer = toAnswer({ segments: [], files: [file({ provenance })], resources: [], notice: 'Text alone.' }, view)
    expect(answer.files[0]).toMatchObject({ provenance, score: 0.1235, similarity: 0.3333, path: null })
    expect(answer.files[0]).not.toHaveProperty('content')
    expect(answer.notice).toMatch(/^Text alone\. Files could not be copied/)
  })
})
