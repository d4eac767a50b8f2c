import * as fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { flushToDisk } from '../../src/bridging/flush.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(async () => {
  vi.restoreAllMocks()
  syncBuiltinESMExports()
  await w.end()
})

async function mirrored(...names: string[]): Promise<void> {
  for (const name of names) await w.store('memory', name, `- line of ${name}`, `notes on ${name}`)
  w.session('first', ['hello'], 0)
  await w.cycle()
}

/** A call of `node:fs` that fails or tells for some paths; all others go through. */
function spyOnFs<Name extends 'readdirSync' | 'lstatSync' | 'openSync' | 'fsyncSync'>(name: Name) {
  const real = (fs as unknown as { default: typeof fs }).default
  const spy = vi.spyOn(real, name)
  syncBuiltinESMExports()
  return spy
}

describe('an emptied file', () => {
  it.each([
    ['', ''],
    ['blank lines', '\n \n'],
    ['a name alone', '---\nname: a\n---\n'],
  ])('(%s) is written anew by the next run, so that who adds a line to it removes no others', async (_, text) => {
    await mirrored('a', 'b')
    w.write('memory/a.md', text)
    w.session('second', ['more'], 1)
    const { mirror } = await w.prepare()
    expect(mirror?.kept).toEqual([])
    fs.appendFileSync(join(w.tree.tracks.memory, 'a.md'), '- added\n')
    expect(await w.commit()).toMatchObject({ updated: [{ name: 'a' }], forgotten: [], problems: [] })
    expect(await w.stored('memory', 'a')).toBe('- line of a\n- added')
  })

  it('whose description stayed has lost its lines on purpose', async () => {
    await mirrored('a', 'b')
    w.write('memory/a.md', memoryFile('a').trimEnd())
    w.session('second', ['more'], 1)
    await w.cycle()
    expect(await w.stored('memory', 'a')).toBe('')
  })
})

describe('what a run wrote', () => {
  it('is on the disk before the snapshot vouches for it', async () => {
    await w.store('memory', 'a', '- x')
    w.session('first', ['hello'], 0)
    const opened = new Map<number, string>()
    const flushed: string[] = []
    const open = fs.openSync
    const flush = fs.fsyncSync
    spyOnFs('openSync').mockImplementation((path, ...rest) => {
      const fd = open(path, ...rest)
      opened.set(fd, String(path))
      return fd
    })
    spyOnFs('fsyncSync').mockImplementation((fd) => {
      const target = opened.get(fd) ?? ''
      flushed.push(target)
      if (target.startsWith(w.tree.tracks.memory)) expect(w.has('.memory_manifest.json')).toBe(false)
      flush(fd)
    })
    await w.prepare()
    expect(flushed).toEqual(expect.arrayContaining([join(w.tree.tracks.memory, 'a.md'), w.tree.tracks.memory]))
  })

  it('may be gone again when it is flushed', () => {
    expect(() => flushToDisk([join(w.root, 'gone', 'a.md')])).not.toThrow()
  })
})

describe('a new name in the front matter', () => {
  it('lasts over further runs until it is committed', async () => {
    await mirrored('a', 'b')
    w.write('memory/a.md', memoryFile('a2', '- line of a'))
    for (const minute of [1, 2]) {
      w.session('second', [`more ${minute}`], minute)
      expect((await w.prepare()).mirror?.kept).toEqual(['memory/a.md'])
    }
    expect(w.read('memory/a.md')).toBe(memoryFile('a2', '- line of a'))
    expect(await w.commit()).toMatchObject({ created: [{ name: 'a2' }], forgotten: [{ name: 'a' }] })
  })

  it('loses nothing that the store gained under the old one', async () => {
    await mirrored('a', 'b')
    w.write('memory/a.md', memoryFile('a2', '- line of a'))
    await w.store('memory', 'a', '- line of a\n- news', 'notes on a')
    w.session('second', ['more'], 1)
    await w.prepare()
    await w.commit()
    expect([await w.stored('memory', 'a'), await w.stored('memory', 'a2')]).toEqual(['- line of a\n- news', '- line of a'])
  })
})

describe('a place that cannot be looked into', () => {
  it('where `skill` is a file: it is reported and stays, and the rest goes through', async () => {
    await w.store('skill', 's', '- how to', 'notes on s')
    await mirrored('a')
    fs.rmSync(w.tree.tracks.skill, { recursive: true })
    fs.writeFileSync(w.tree.tracks.skill, 'somebody’s')
    w.write('memory/new.md', memoryFile('new', '- x'))
    const report = await w.commit()
    expect(report).toMatchObject({ created: [{ name: 'new' }], forgotten: [], refused: [] })
    expect(report.problems).toMatchObject([{ on: w.tree.tracks.skill, reason: expect.stringContaining('it is a file') }])
    w.session('second', ['more'], 1)
    const prepared = await w.prepare()
    expect(prepared.problems).toContainEqual(report.problems[0])
    expect(prepared.sessions).toHaveLength(1)
    expect(w.read('skill')).toBe('somebody’s')
    expect(await w.commit()).toMatchObject({ forgotten: [], refused: [] })
    expect(await w.stored('skill', 's')).toBe('- how to')
  })

  it('a subfolder without permission: what lies in it is neither forgotten nor written a second time', async () => {
    await mirrored('a', 'b')
    w.write('memory/sub/c.md', memoryFile('c', '- line of c'))
    await w.commit()
    const sub = join(w.tree.tracks.memory, 'sub')
    const denied = Object.assign(new Error(`EACCES: permission denied, scandir '${sub}'`), { code: 'EACCES' })
    const list = fs.readdirSync
    const stat = fs.lstatSync
    spyOnFs('readdirSync').mockImplementation(((path: string, options: never) => {
      if (path.startsWith(sub)) throw denied
      return list(path, options)
    }) as typeof fs.readdirSync)
    spyOnFs('lstatSync').mockImplementation(((path: string, options: never) => {
      if (path.startsWith(`${sub}/`)) throw denied
      return stat(path, options)
    }) as typeof fs.lstatSync)
    w.write('memory/new.md', memoryFile('new', '- x'))
    const report = await w.commit()
    expect(report).toMatchObject({ created: [{ name: 'new' }], forgotten: [], refused: [] })
    expect(report.problems).toMatchObject([{ on: sub, reason: expect.stringContaining('EACCES') }])
    w.session('second', ['more'], 1)
    expect((await w.prepare()).problems).toMatchObject([{ on: join(sub, 'c.md'), reason: expect.stringContaining('EACCES') }])
    expect(fs.readdirSync(w.tree.tracks.memory).sort()).toEqual(['a.md', 'b.md', 'new.md', 'sub'])
  })
})
