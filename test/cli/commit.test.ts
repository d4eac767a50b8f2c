import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { addCommit } from '../../src/cli/memu/commit.ts'
import { realSystem } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** Runs `commit` with nothing but an `Io`; what it prints comes back. */
async function commit(io: Partial<Io>, ...args: string[]): Promise<string> {
  const home = temporaryFolder()
  let printed = ''
  const own = { system: { ...realSystem(), home, cwd: home, env: { MEMU_DB: ':memory:' } }, out: (text: string) => (printed += text) }
  const program = new Command()
  addCommit(program, { io: { ...own, ...io } as Io })
  await program.parseAsync(['commit', ...args], { from: 'user' })
  return printed
}

describe('commit without a payload', () => {
  it('does not wait for one at a keyboard, and says which command stores edited files', async () => {
    const waits = (): Promise<string> => Promise.reject(new Error('it waits'))
    await expect(commit({ typed: () => true, readStdin: waits })).rejects.toMatchObject({
      code: 'usage',
      exit: 2,
      hint: expect.stringContaining('memu-<host> commit (claude-code, codex'),
    })
  })

  it('reads one at a keyboard where that is asked for, and from a pipe without asking', async () => {
    const readStdin = (): Promise<string> => Promise.resolve('{"recall_files": [{"name": "a", "content": "b"}]}')
    expect(await commit({ typed: () => true, readStdin }, '-')).toContain('1 created')
    expect(await commit({ typed: () => false, readStdin })).toContain('1 created')
  })
})
