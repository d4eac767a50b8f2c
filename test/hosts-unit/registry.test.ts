import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCode, codex, hostSpec, hostSpecs } from '../../src/hosts/registry.ts'
import { realSystem } from '../../src/util/system.ts'

const system = (env: Record<string, string> = {}) => ({ ...realSystem(), home: '/home/u', env })

describe('the host registry', () => {
  it('finds a host by its name and names those there are', () => {
    for (const spec of hostSpecs) expect(hostSpec(spec.host)).toBe(spec)
    expect(() => hostSpec('emacs')).toThrow(
      expect.objectContaining({ code: 'unknown_host', exit: 2, hint: 'Use one of: claude-code, codex.' }) as Error,
    )
  })

  it('gives every host a program, a working tree and an id of its own', () => {
    for (const spec of hostSpecs) expect(spec.binary).toBe(`memu-${spec.host}`)
    for (const of of [(spec: typeof codex) => spec.baseDir(system()), (spec: typeof codex) => spec.sessionIdEnv]) {
      expect(new Set(hostSpecs.map(of)).size).toBe(hostSpecs.length)
    }
  })

  it('looks for sessions where the host keeps them, also when the user moved that', () => {
    expect(claudeCode.sessionDir(system())).toBe(join('/home/u', '.claude', 'projects'))
    expect(claudeCode.sessionDir(system({ CLAUDE_CONFIG_DIR: '/cfg' }))).toBe(join('/cfg', 'projects'))
    expect(codex.sessionDir(system())).toBe(join('/home/u', '.codex', 'sessions'))
    expect(codex.sessionDir(system({ CODEX_HOME: '/cx' }))).toBe(join('/cx', 'sessions'))
    expect(codex.sessionDir(system({ CODEX_HOME: '' }))).toBe(join('/home/u', '.codex', 'sessions'))
  })

  it('keeps headless runs out of the log, inside the workspace, and the prompt out of the arguments', () => {
    const run = { workspace: '/home/u/.memu', binary: 'memu-x' }
    const claude = claudeCode.headless?.args(run) ?? []
    expect(claude).toContain('--no-session-persistence')
    const [allowed, denied] = [claude.indexOf('--allowedTools'), claude.indexOf('--disallowedTools')]
    expect(claude.slice(allowed + 1, denied)).toEqual(['Bash(memu-x:*)', 'Read'])
    expect(claude.slice(denied + 1)).toEqual(expect.arrayContaining(['Read(~/.ssh/**)', 'Read(~/.memu/config.env)', 'Read(//**/.env)']))
    const exec = codex.headless?.args(run) ?? []
    expect(exec).toContain('--ephemeral')
    expect(exec.join(' ')).toContain('--sandbox workspace-write')
    expect(exec.at(-1)).toBe('-')
  })
})
