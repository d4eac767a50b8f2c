/** No command of the store is a way around redaction. */
import { join } from 'node:path'
import { Command } from 'commander'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { addCommit } from '../../src/cli/memu/commit.ts'
import { addRestore } from '../../src/cli/memu/restore.ts'
import { loadSettings } from '../../src/config/load.ts'
import type { CommitPayload } from '../../src/memory/backend.ts'
import { openLocalBackend } from '../../src/memory/open.ts'
import { realSystem } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const TOKEN = `ghp_${'a1B2'.repeat(9)}`
const KEY = { track: 'memory', name: 'k' }

interface Memu {
  /** Runs `memu` with a payload on standard input; what it prints comes back. */
  readonly run: (args: readonly string[], payload?: CommitPayload) => Promise<string>
  /** Everything that the store holds of a file, its history included. */
  readonly stored: () => Promise<string>
}

function memu(): Memu {
  const home = temporaryFolder()
  const system = { ...realSystem(), home, cwd: home, env: { MEMU_DB: join(home, 'memory.db'), MEMU_API_KEY: 'key-of-this-machine' } }
  return {
    async run(args, payload = {}) {
      let printed = ''
      const out = (text: string): void => {
        printed += text
      }
      const io = { system, out, err: out, typed: () => false, readStdin: async () => JSON.stringify(payload) } as unknown as Io
      const program = new Command()
      for (const add of [addCommit, addRestore]) add(program, { io })
      await program.parseAsync(args, { from: 'user' })
      return printed
    },
    async stored() {
      const backend = await openLocalBackend(loadSettings(system), system)
      const all = [await backend.history(KEY), await backend.listAllRecallFiles(), await backend.progressiveRetrieve('token')]
      await backend.close()
      return JSON.stringify(all)
    },
  }
}

let m: Memu
beforeEach(() => {
  m = memu()
})

const file = (content: string): CommitPayload => ({ recall_files: [{ name: 'k', description: 'd', content }] })

describe('memu commit', () => {
  it('stores no secret of a content, a description or a caption, and says how many there were', async () => {
    const payload = {
      recall_files: [{ name: 'k', description: `of ${TOKEN}`, content: `GITHUB_TOKEN=${TOKEN}\nsent with key-of-this-machine` }],
      resource: [{ url: '/home/u/plan.md', caption: `token: ${TOKEN}` }],
    }
    expect(await m.run(['commit'], payload)).toBe(
      'files: 1 created; resources: 1 created\nsecrets kept out of the store: 4 (github-token 3, memu-api-key 1)\n',
    )
    const stored = await m.stored()
    expect(stored).not.toMatch(new RegExp(`${TOKEN}|key-of-this-machine`))
    expect(stored).toContain('GITHUB_TOKEN=[removed: github-token]')
    expect(JSON.parse(await m.run(['commit', '--json'], payload)).redacted).toEqual({ 'github-token': 3, 'memu-api-key': 1 })
  })

  it.each([
    [
      'recall_files[1]',
      {
        recall_files: [
          { name: 'k', content: 'x' },
          { name: TOKEN, content: 'y' },
        ],
      },
    ],
    ['recall_files[0]', { recall_files: [{ track: TOKEN, name: 'k', content: 'x' }] }],
    ['resource[0]', { ...file('x'), resource: [{ url: `/home/u/${TOKEN}`, caption: 'c' }] }],
  ])('refuses a name that is a secret, and then stores nothing (%s)', async (at, payload) => {
    const refused = await m.run(['commit'], payload).catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'secret_in_name', exit: 2, message: expect.stringContaining(at) })
    expect(String(refused)).not.toContain(TOKEN)
    expect(await m.stored()).not.toContain('"k"')
  })

  it('stores everything as it is where the user says so', async () => {
    expect(await m.run(['commit', '--no-redact'], file(TOKEN))).toBe('files: 1 created; resources: none\n')
    expect(await m.stored()).toContain(TOKEN)
  })
})

describe('memu restore', () => {
  beforeEach(async () => {
    await m.run(['commit', '--no-redact'], file(`- the token is ${TOKEN}`))
    await m.run(['commit'], file('- clean'))
  })

  it.each([[['restore', 'memory/k', '--at', '1']], [['restore', 'memory/k']]])(
    'brings a version back without its secrets (%j)',
    async (args) => {
      expect(await m.run(args)).toContain('secrets kept out of the store: 1 (github-token 1)\n')
      const [[restored]] = JSON.parse(await m.stored())
      expect(restored).toMatchObject({ change: 'restored', content: '- the token is [removed: github-token]' })
    },
  )

  it('brings it back as it was where the user says so', async () => {
    await m.run(['restore', 'memory/k', '--at', '1', '--no-redact'])
    const [[restored]] = JSON.parse(await m.stored())
    expect(restored.content).toContain(TOKEN)
  })
})
