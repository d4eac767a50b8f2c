import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newMemuSource } from '../../../src/keel/knowledge/memu.ts'
import type { MemoryBackend, Retrieved } from '../../../src/memory/backend.ts'
import { openLocal } from '../../../src/memory/open.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

const { signal } = new AbortController()
/** Long enough for a busy machine; the limit itself has tests of its own. */
const PATIENT = 20_000

function atHome(env: Readonly<Record<string, string>> = {}): { readonly home: string; readonly system: System } {
  const home = temporaryFolder()
  return { home, system: { ...realSystem(), home, cwd: home, env } }
}

/** A memory of these texts, whatever it is asked. */
function remembering(...texts: string[]) {
  const asked: string[] = []
  const state = { closed: 0 }
  const memory = {
    progressiveRetrieve: async (query: string) => {
      asked.push(query)
      return { segments: texts.map((text) => ({ text })), files: [], resources: [] } as unknown as Retrieved
    },
    close: async () => {
      state.closed++
    },
  } as unknown as MemoryBackend
  return { memory, asked, state }
}

describe('what memU knows', () => {
  it('comes from the store that is configured, which is only read', async () => {
    const { home, system } = atHome()
    const db = join(home, 'memory.db')
    const store = await openLocal({ db, system })
    await store.commitResults({
      recall_files: [
        {
          track: 'memory',
          name: 'goals',
          content: 'The user plans to run a marathon in autumn.\n\nThe user wants to learn to play the cello.',
        },
        { track: 'memory', name: 'profile', content: 'The user likes long walks with the dog, and dislikes the gym.' },
        { track: 'skill', name: 'deploy', content: 'The plan of the user to deploy the current project: run the script.' },
      ],
    })
    await store.close()
    const lines: string[] = []
    const source = newMemuSource({ system: { ...system, env: { MEMU_DB: db } }, log: (line) => lines.push(line), limitMs: PATIENT })
    const text = await source.text(signal)
    expect(text).toContain('run a marathon')
    expect(text).toContain('long walks with the dog')
    expect(text).not.toContain('script')
    expect(text).toMatch(/^(?:- .+(?:\n|$))+$/)
    expect(lines).toEqual([])
  })

  it('is nothing where no store is configured, and nobody is told', async () => {
    const { system } = atHome()
    const lines: string[] = []
    expect(await newMemuSource({ system, log: (line) => lines.push(line), limitMs: PATIENT }).text(signal)).toBe('')
    expect(lines).toEqual([])
  })

  it('is nothing where the store does not exist yet, and none is made', async () => {
    const { home, system } = atHome()
    const db = join(home, 'sub', 'memory.db')
    expect(await newMemuSource({ system: { ...system, env: { MEMU_DB: db } }, limitMs: PATIENT }).text(signal)).toBe('')
    expect(existsSync(join(home, 'sub'))).toBe(false)
  })

  it('is nothing where the store is none; that is logged once', async () => {
    const { home, system } = atHome()
    const db = join(home, 'memory.db')
    writeFileSync(db, 'this is no database, and long enough to be told from an empty one'.repeat(20))
    const lines: string[] = []
    const source = newMemuSource({ system: { ...system, env: { MEMU_DB: db } }, log: (line) => lines.push(line), limitMs: PATIENT })
    expect([await source.text(signal), await source.text(signal)]).toEqual(['', ''])
    expect(lines).toEqual([expect.stringMatching(/^knowledge: memU is not asked \(.+\)$/)])
  })

  it('is one line a thing, every thing once, without secrets, and not too much', async () => {
    const secret = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
    const { memory, asked, state } = remembering(
      '- **likes**\n  tea\u0007',
      '## Heading of its own',
      `token ${secret}`,
      'x'.repeat(500),
      ...Array.from({ length: 20 }, (_, index) => `thing ${index}`),
    )
    const text = await newMemuSource({ system: atHome().system, open: async () => memory, limitMs: PATIENT }).text(signal)
    const lines = text.split('\n')
    expect(lines.slice(0, 2)).toEqual(['- **likes** tea', '- Heading of its own'])
    expect(text).not.toContain(secret)
    expect(lines[3]).toBe(`- ${'x'.repeat(239)}…`)
    expect(lines).toHaveLength(7)
    expect(asked).toHaveLength(3)
    expect(state.closed).toBe(1)
  })

  it('is not waited for longer than it is worth: said once, and what comes late is closed', async () => {
    const { memory, asked, state } = remembering('late')
    let release = (): void => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    const lines: string[] = []
    const open = async () => {
      await released
      return memory
    }
    const source = newMemuSource({ system: atHome().system, open, log: (line) => lines.push(line), limitMs: 10 })
    expect([await source.text(signal), await source.text(signal)]).toEqual(['', ''])
    expect(lines).toEqual(['knowledge: memU is not asked (no answer within 10 ms)'])
    release()
    while (state.closed < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(asked).toEqual([])
  })

  it('that fails is logged anew after it has worked in between', async () => {
    const { memory } = remembering('tea')
    const answers = [new Error('locked'), memory, new Error('locked')]
    const lines: string[] = []
    const open = async () => {
      const next = answers.shift()
      if (next instanceof Error) throw next
      return next
    }
    const source = newMemuSource({ system: atHome().system, open, log: (line) => lines.push(line), limitMs: PATIENT })
    expect([await source.text(signal), await source.text(signal), await source.text(signal)]).toEqual(['', '- tea', ''])
    expect(lines).toEqual(Array(2).fill('knowledge: memU is not asked (locked)'))
  })

  it('is not asked after a cancel, without a word', async () => {
    const lines: string[] = []
    const { memory, asked } = remembering('tea')
    const source = newMemuSource({ system: atHome().system, open: async () => memory, log: (line) => lines.push(line) })
    expect(await source.text(AbortSignal.abort())).toBe('')
    await new Promise((resolve) => setImmediate(resolve))
    expect([asked, lines]).toEqual([[], []])
  })
})
