import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { settingNotes } from '../../../src/keel/harness/setting-notes.ts'
import { seedFromEnv } from '../../../src/keel/settings/seed.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

function notes(env: Readonly<Record<string, string>>, home = temporaryFolder(), path = '') {
  return settingNotes(seedFromEnv(env), { env: { PATH: path }, home, platform: process.platform })
}

describe('the note on a setting', () => {
  it('is none where nothing is strange', () => {
    const home = temporaryFolder()
    writeFileSync(join(home, 'goals.md'), 'run')
    for (const path of ['~/goals.md', '$HOME/goals.md', 'goals.md', join(home, 'goals.md')]) {
      expect(notes({ KEEL_KNOWLEDGE_FILE: path }, home), path).toEqual({})
    }
    expect(notes({})).toEqual({})
    expect(notes({ KEEL_AI_BACKEND: 'ollama' })).toEqual({})
  })

  it('says of goals that are not there which file that would be, and of a folder that it is none', () => {
    const home = temporaryFolder()
    expect(notes({ KEEL_KNOWLEDGE_FILE: '$HOME/nope.md' }, home).knowledge_path).toContain(`no such file yet (${join(home, 'nope.md')})`)
    mkdirSync(join(home, 'x.md'))
    expect(notes({ KEEL_KNOWLEDGE_FILE: '~/x.md' }, home).knowledge_path).toBe('That is no file.')
    expect(notes({ KEEL_KNOWLEDGE_FILE: '~/x.md/y.md' }, home).knowledge_path).toContain('no such file yet')
  })

  it.each(['claude', 'codex'])('says that %s is not there, and what to do', (backend) => {
    expect(notes({ KEEL_AI_BACKEND: backend }).ai_backend).toMatch(new RegExp(`no program ${backend} .*KEEL_AI_PROGRAM`))
    expect(notes({ KEEL_AI_BACKEND: backend, KEEL_AI_PROGRAM: '/nowhere/x' }).ai_backend).toMatch(/^\/nowhere\/x is no program/)
  })

  it.skipIf(process.platform === 'win32')('is none for a program that is found by its name, or at its path', () => {
    const folder = temporaryFolder()
    const program = join(folder, 'claude')
    writeFileSync(program, '')
    expect(notes({ KEEL_AI_BACKEND: 'claude' }, undefined, folder)).toHaveProperty('ai_backend')
    chmodSync(program, 0o755)
    expect(notes({ KEEL_AI_BACKEND: 'claude' }, undefined, folder)).toEqual({})
    expect(notes({ KEEL_AI_BACKEND: 'codex', KEEL_AI_PROGRAM: program })).toEqual({})
  })
})
