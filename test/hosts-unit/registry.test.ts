import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { claudeCode, codex, hostSpec, hostSpecs } from '../../src/hosts/registry.ts'
import { realSystem } from '../../src/util/system.ts'

const system = (env: Record<string, string> = {}) => ({ ...realSystem(), home: '/home/u', env })

describe('the host registry', () => {
  it('finds a host by its name and names those there are', () => {
    for (const spec of hostSpecs) expect(hostSpec(spec.host)).toBe(spec)
    expect(() => hostSpec('emacs')).toThrow(
      expect.objectContaining({
        code: 'unknown_host',
        exit: 2,
        hint: `Use one of: ${hostSpecs.map(({ host }) => host).join(', ')}.`,
      }) as Error,
    )
  })

  it('gives every host a program, a working tree and an id of its own', () => {
    for (const spec of hostSpecs) expect(spec.binary).toBe(`memu-${spec.host}`)
    expect(new Set(hostSpecs.map((spec) => spec.baseDir(system()))).size).toBe(hostSpecs.length)
    const variables = hostSpecs.flatMap(({ sessionIdEnv }) => sessionIdEnv ?? [])
    expect(new Set(variables).size).toBe(variables.length)
  })

  it('looks for sessions where the host keeps them, also when the user moved that', () => {
    expect(claudeCode.sessionDir(system())).toBe(join('/home/u', '.claude', 'projects'))
    expect(claudeCode.sessionDir(system({ CLAUDE_CONFIG_DIR: '/cfg' }))).toBe(join('/cfg', 'projects'))
    expect(codex.sessionDir(system())).toBe(join('/home/u', '.codex', 'sessions'))
    expect(codex.sessionDir(system({ CODEX_HOME: '/cx' }))).toBe(join('/cx', 'sessions'))
    expect(codex.sessionDir(system({ CODEX_HOME: '' }))).toBe(join('/home/u', '.codex', 'sessions'))
  })

  it('takes ~ in the variable by which a user moves that for the home', () => {
    for (const spec of hostSpecs) {
      const asked = new Set<string>()
      const env = new Proxy<Record<string, string>>({}, { get: (_, name) => moved(String(name), asked) })
      const place = spec.sessionDir({ ...system(), env })
      if (asked.size === 0) continue
      expect(place, [...asked].join()).toMatch(/^\/home\/u\//)
      expect(place).not.toContain('~')
    }
  })

  /** The folders of the system's own are absolute. */
  function moved(name: string, asked: Set<string>): string | undefined {
    if (!/_(?:HOME|DIR|DB)$/.test(name) || name.startsWith('XDG_')) return undefined
    asked.add(name)
    return '~/moved'
  }

  const run = {
    workspace: '/home/u/.memu',
    binary: 'memu-x',
    verifyCommand: "memu-x verify-resources --base-dir '/t r'",
    writable: ['/home/u/.memu/memory', "/home/u/it's"],
    hidden: ['/home/u/.memu/config.env'],
  }

  it('keeps headless runs out of the log, and the prompt out of the arguments', () => {
    expect(claudeCode.headless?.args(run)).toContain('--no-session-persistence')
    const exec = codex.headless?.args(run) ?? []
    expect(exec).toContain('--ephemeral')
    expect(exec.at(-1)).toBe('-')
  })

  it('lets Claude Code run nothing but the two commands of the jobs, and read no keys and no configuration', () => {
    const args = claudeCode.headless?.args(run) ?? []
    const [allowed, denied] = [args.indexOf('--allowedTools'), args.indexOf('--disallowedTools')]
    expect(args.slice(allowed + 1, denied)).toEqual(['Bash(memu-x job-done:*)', "Bash(memu-x verify-resources --base-dir '/t r')", 'Read'])
    const refused = ['Read(~/.ssh/**)', 'Read(~/.netrc)', 'Read(//**/.env)', 'Read(//home/u/.memu/config.env)']
    expect(args.slice(denied + 1)).toEqual(expect.arrayContaining(refused))
  })

  it('lets Codex write the folders of the run alone, and see no keys and no configuration', () => {
    const args = codex.headless?.args(run) ?? []
    const table = args.find((arg) => arg.startsWith('permissions.memu.filesystem=')) ?? ''
    expect(table).toContain("':root'='read','/home/u/.memu/memory'='write',\"/home/u/it's\"='write','/home/u/.memu/config.env'='none'")
    expect(table).toContain("'~/.ssh'='none'")
    expect(args).toContain('default_permissions="memu"')
    expect(args.join(' ')).not.toContain('--sandbox')
  })
})
