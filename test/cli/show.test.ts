import { join } from 'node:path'
import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Io } from '../../src/cli/io.ts'
import { addShow, showText } from '../../src/cli/memu/show.ts'
import type { CommitPayload } from '../../src/memory/backend.ts'
import { openLocal } from '../../src/memory/open.ts'
import type { RecallFile } from '../../src/records.ts'
import { realSystem } from '../../src/util/system.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const PROVENANCE = {
  host: 'codex',
  sessions: ['6d0f6a3e-9d57-4f6e-8a53-3f1f6f0c2f11', '9b1f00c2-0000-4000-8000-000000000000'],
  projects: ['/home/dev/shop'],
  from: '2026-02-01T08:00:00.000Z',
  to: '2026-03-01T10:02:00.000Z',
}

/** A store with what was committed, and `show` over it. */
async function stored(...payloads: CommitPayload[]): Promise<(...args: string[]) => Promise<string>> {
  const home = temporaryFolder()
  const db = join(home, 'memory.db')
  const backend = await openLocal({ db, embedder: fakeEmbedder() })
  for (const payload of payloads) await backend.commitResults(payload)
  await backend.close()
  return async (...args) => {
    let printed = ''
    const io = { system: { ...realSystem(), home, cwd: home, env: { MEMU_DB: db } }, out: (text: string) => (printed += text) }
    const program = new Command()
    addShow(program, { io: io as unknown as Io })
    await program.parseAsync(['show', ...args], { from: 'user' })
    return printed
  }
}

describe('memu show', () => {
  it('says that a file was last edited by hand, beside the sessions of the rest', async () => {
    const show = await stored({ recall_files: [{ name: 'n', content: '- x', provenance: { ...PROVENANCE, by_hand: true } }] })
    expect(await show('n')).toContain(
      '  project /home/dev/shop\n  time    2026-02-01 08:00 to 2026-03-01 10:02\n  edited  by hand\n\n- x\n',
    )
  })

  it('prints a file with where it came from, every session and project in full', async () => {
    const show = await stored({
      recall_files: [
        { track: 'skill', name: 'ship', description: 'how to ship', content: '## Steps\n1. build\n   make ship', provenance: PROVENANCE },
      ],
    })
    const text = (await show('skill/ship')).replace(/changed \d{4}-\d\d-\d\d \d\d:\d\d/, 'changed TIME')
    expect(text).toBe(
      [
        'skill/ship',
        '  how to ship',
        '  2 lines, 30 B, changed TIME',
        '  host    codex',
        '  session 6d0f6a3e-9d57-4f6e-8a53-3f1f6f0c2f11',
        '  session 9b1f00c2-0000-4000-8000-000000000000',
        '  project /home/dev/shop',
        '  time    2026-02-01 08:00 to 2026-03-01 10:02',
        '',
        '## Steps',
        '1. build',
        '   make ship',
        '',
      ].join('\n'),
    )
    expect(await show('ship')).toContain('make ship')
  })

  it('gives programs the file as it is stored', async () => {
    const show = await stored({ recall_files: [{ name: 'a', content: '- one', provenance: PROVENANCE }] })
    expect(JSON.parse(await show('memory/a', '--json'))).toMatchObject({
      ...{ track: 'memory', name: 'a', content: '- one', provenance: PROVENANCE },
    })
  })

  it('offers names alike for one that there is not, and says of a forgotten one how to bring it back', async () => {
    const show = await stored(
      { recall_files: [{ name: 'preferences', content: '- one' }] },
      { forget: [{ track: 'memory', name: 'preferences' }] },
      {
        recall_files: [{ name: 'shop-decisions', content: '- two' }],
      },
    )
    await expect(show('decisions')).rejects.toMatchObject({
      ...{ code: 'unknown_file', exit: 2, hint: 'Did you mean memory/shop-decisions?' },
    })
    await expect(show('memory/preferences')).rejects.toMatchObject({
      ...{ code: 'forgotten_file', hint: expect.stringContaining('memu restore memory/preferences') },
    })
  })

  it('lets no control character of a name, a line or a source reach the terminal, and keeps indentation', () => {
    const hostile = 'x\u001b[2J\u0007'
    const file = { track: 'memory', name: hostile, description: hostile, content: `  - ${hostile}\n\t- b`, updated_at: hostile }
    const text = showText({ ...file, provenance: { host: hostile, sessions: [hostile] } } as unknown as RecallFile)
    expect(text).not.toMatch(/[\u001b\u0007]/)
    expect(text).toContain('\n  - x [2J \n\t- b\n')
  })
})
