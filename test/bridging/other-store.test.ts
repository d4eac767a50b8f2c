import * as fs from 'node:fs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commit } from '../../src/bridging/commit.ts'
import { prepare } from '../../src/bridging/prepare.ts'
import type { ListPage, MemoryBackend } from '../../src/memory/backend.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
let elsewhere: World
beforeEach(async () => {
  w = await world()
  elsewhere = await world()
})
afterEach(async () => {
  await w.end()
  await elsewhere.end()
})

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']

async function lived(backend?: MemoryBackend): Promise<void> {
  for (const name of names) await w.store('memory', name, `- line of ${name}`, `notes on ${name}`)
  w.session('first', ['hello'], 0)
  await prepare({}, withStore(backend ?? w.backend))
  await commit({}, withStore(backend ?? w.backend))
}

/** The same tree, over another store. */
const withStore = (backend: MemoryBackend) => ({ ...w.deps, backend: async () => backend })

/** As a backend that does not tell which store it is. */
const anonymous = (backend: MemoryBackend): MemoryBackend => ({
  ...backend,
  listAllRecallFiles: async (query): Promise<ListPage> => {
    const { recall_files, next_cursor } = await backend.listAllRecallFiles(query)
    return { recall_files, next_cursor }
  },
})

/** As an older copy of the store, which does not know what was forgotten since. */
const older = (backend: MemoryBackend): MemoryBackend => ({
  ...backend,
  listAllRecallFiles: async (query): Promise<ListPage> => ({ ...(await backend.listAllRecallFiles(query)), forgotten: [] }),
})

const mirror = (): string[] => fs.readdirSync(w.tree.tracks.memory).sort()
const all = names.map((name) => `${name}.md`)

describe('a store that was lost, moved away or begun anew', () => {
  it('gets the whole of memory back with a commit by hand', async () => {
    await lived()
    const report = await commit({}, withStore(elsewhere.backend))
    expect(report.created).toHaveLength(8)
    expect(report.notices).toMatchObject([expect.stringContaining('another one')])
    expect(await elsewhere.stored('memory', 'a')).toBe('- line of a')
    expect(await commit({}, withStore(elsewhere.backend))).toMatchObject({ created: [], updated: [], notices: [] })
  })

  it.each([
    ['and is empty', []],
    ['and holds something else', ['other']],
  ])('%s: the next run empties no mirror, and puts everything into it', async (_, held) => {
    await lived()
    for (const name of held) await elsewhere.store('memory', name, '- x')
    w.session('first', ['more'], 1)
    const { notices } = await prepare({}, withStore(elsewhere.backend))
    expect(mirror()).toEqual([...all, ...held.map((name) => `${name}.md`)].sort())
    expect(notices).toMatchObject([expect.stringContaining('another one')])
    w.finish(1, 2, 3)
    expect((await commit({ onlyMarked: true }, withStore(elsewhere.backend))).created).toHaveLength(8)
    expect(await elsewhere.stored('memory', 'h')).toBe('- line of h')
  })

  it('keeps what it has beside what the mirror has, where both carry one name', async () => {
    await lived()
    await elsewhere.store('memory', 'a', '- theirs', 'notes on a')
    fs.rmSync(`${w.tree.tracks.memory}/b.md`)
    expect(await commit({}, withStore(elsewhere.backend))).toMatchObject({ forgotten: [], refused: [], merged: [{ name: 'a' }] })
    expect(await elsewhere.stored('memory', 'a')).toBe('- theirs\n- line of a')
  })

  it('is not opened by a commit of bridge that has nothing to bring', async () => {
    await lived()
    const broken = { ...w.deps, backend: () => Promise.reject(new Error('it was opened')) }
    expect(await commit({ onlyMarked: true }, broken)).toMatchObject({ created: [] })
  })
})

describe('a store without an id', () => {
  it('is believed when a few files are gone, and not when it suddenly holds far fewer', async () => {
    await lived(anonymous(w.backend))
    const forget = (...gone: string[]) => w.backend.commitResults({ forget: gone.map((name) => ({ track: 'memory', name })) })
    await forget('a')
    w.session('first', ['more'], 1)
    await prepare({}, withStore(anonymous(w.backend)))
    expect(mirror()).toEqual(all.slice(1))
    await forget('b', 'c', 'd')
    w.session('first', ['and more'], 2)
    const { notices } = await prepare({}, withStore(anonymous(w.backend)))
    expect(mirror()).toEqual(all.slice(1))
    expect(notices).toMatchObject([expect.stringContaining('3 memory files under')])
    expect((await commit({}, withStore(anonymous(w.backend)))).created).toHaveLength(3)
  })

  it('is taken for another one where it is empty', async () => {
    await lived(anonymous(w.backend))
    expect((await commit({}, withStore(anonymous(elsewhere.backend)))).created).toHaveLength(8)
  })
})

describe('the store with the same id', () => {
  const forget = (...gone: string[]) => w.backend.commitResults({ forget: gone.map((name) => ({ track: 'memory', name })) })

  it('is believed that a file was forgotten elsewhere, also the only one', async () => {
    await lived()
    await forget('a')
    w.session('first', ['more'], 1)
    expect((await w.prepare()).notices).toEqual([])
    expect(mirror()).toEqual(all.slice(1))
  })

  it('is believed that many were forgotten on purpose, which it remembers', async () => {
    await lived()
    await forget(...names.slice(1))
    w.session('first', ['more'], 1)
    expect((await w.prepare()).notices).toEqual([])
    expect(mirror()).toEqual(all.slice(0, 1))
  })

  it('is not believed that it lacks many without a word: an older copy may have been put in its place, and what it lacks is put back', async () => {
    await lived()
    await forget(...names.slice(1))
    w.write('memory/h.md', memoryFile('h', '- line of h', '- more'))
    w.session('first', ['more'], 1)
    const { notices } = await prepare({}, withStore(older(w.backend)))
    expect(mirror()).toEqual(all)
    expect(notices).toMatchObject([expect.stringContaining('6 memory files under')])
    expect((await w.commit()).created).toHaveLength(7)
    expect([await w.stored('memory', 'b'), await w.stored('memory', 'h')]).toEqual(['- line of b', '- line of h\n- more'])
  })
})
