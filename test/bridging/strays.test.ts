/** Files in the mirror's folders that are no memory files. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commitExit } from '../../src/bridging/commit.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

describe('a file that is no memory file', () => {
  it('is left alone with a note and exit code 0, by every commit, and does not keep the others from the store', async () => {
    w.write('memory/note.txt', 'my own')
    w.write('memory/a.md~', 'a backup')
    w.write('skill/deep/plan.odt', 'x')
    fs.symlinkSync('note.txt', join(w.tree.tracks.memory, 'link.txt'))
    w.write('memory/good.md', memoryFile('good', '- kept'))
    for (const created of [[{ track: 'memory', name: 'good' }], []]) {
      const report = await w.commit()
      expect(report).toMatchObject({ created, problems: [] })
      expect(report.notices).toEqual([
        `Files that are no memory (.md) lie among the memory files under ${w.tree.base} and are left alone: memory/a.md~, memory/link.txt, memory/note.txt, skill/deep/plan.odt.`,
      ])
      expect(commitExit(report)).toBe(0)
    }
    expect(w.read('memory/note.txt')).toBe('my own')
  })

  it('is named among a handful; the others are counted', async () => {
    for (let n = 0; n < 8; n++) w.write(`memory/${n}.txt`, 'x')
    expect((await w.commit()).notices).toEqual([expect.stringMatching(/: memory\/0\.txt, .*memory\/4\.txt and 3 more\.$/)])
  })

  it('is a problem where an agent may have meant it for memory, and its sessions wait; an editor’s backup is none', async () => {
    w.session('a', ['one'])
    w.write('memory/older.txt', 'there before')
    await w.prepare()
    w.finish(1, 2, 3)
    w.write('memory/a.md~', 'a backup')
    expect(await w.commit()).toMatchObject({ advanced: ['a'], problems: [] })
    w.session('b', ['two'])
    await w.prepare()
    w.finish(1, 2, 3)
    w.write('memory/learned.txt', '- what the agent learned')
    const report = await w.commit()
    expect(report).toMatchObject({ advanced: [], unfinished: 1, problems: [{ on: join(w.tree.tracks.memory, 'learned.txt') }] })
    expect(commitExit(report)).toBe(1)
    fs.renameSync(join(w.tree.tracks.memory, 'learned.txt'), join(w.tree.tracks.memory, 'learned.md'))
    expect(await w.commit()).toMatchObject({ advanced: ['b'], created: [{ name: 'learned' }], problems: [] })
  })
})
