import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { AGENTS, systemOf, write } from '../detect/home.ts'
import { runHost } from '../helpers/host-run.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

function home(files: Readonly<Record<string, string>>): string {
  const folder = temporaryFolder()
  write(folder, { '.memu/config.env': 'MEMU_DB=~/.memu/memory.db\n', ...files })
  return folder
}

const run = (folder: string, ...args: string[]) => runHost('agent', systemOf(folder), args)

describe('memu-agent', () => {
  it.each(['prepare', 'bridge'])('refuses to %s the log of a host that has a program, and names that', async (verb) => {
    const folder = home(AGENTS)
    const refused = (place: string) => run(folder, verb, '--session-dir', join(folder, place))
    const told = (hint: string) => expect.objectContaining({ code: 'wrong_host', exit: 2, hint }) as Error
    await expect(refused('.claude/projects')).rejects.toEqual(told(`Did you mean memu-claude-code ${verb}?`))
    await expect(refused('.codex/sessions')).rejects.toEqual(told(`Did you mean memu-codex ${verb}?`))
    await expect(refused('.claude-work')).rejects.toEqual(
      told(`Did you mean memu-claude-code ${verb} --session-dir ~/.claude-work/projects?`),
    )
    expect(fs.existsSync(join(folder, '.memu/hosts'))).toBe(false)
  })

  it('says in its help that it wants to know where the sessions lie, and how to find out', async () => {
    const { out } = await run(home({}), '--help')
    expect(out).toMatch(/in one command: +memu-agent bridge --session-dir <dir>\n/)
    expect(out).toContain('memu-agent detect\n')
    expect((await runHost('codex', systemOf(home({})), ['--help'])).out).toMatch(/in one command: +memu-codex bridge\n/)
  })

  it('reads itself what is written as a host writes it and lies where that host’s program finds nothing', async () => {
    const folder = home({
      '.like/sessions/a.jsonl': '{"role":"user","message":{"content":[{"type":"text","text":"never deploy on fridays"}]}}\n',
    })
    expect((await run(folder, 'bridge', '--session-dir', join(folder, '.like/sessions'))).out).toMatch(/fridays/)
  })
})
