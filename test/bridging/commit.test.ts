import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { commit, commitExit } from '../../src/bridging/commit.ts'
import { prepare } from '../../src/bridging/prepare.ts'
import { fileNameFor } from '../../src/markdown/file-names.ts'
import type { CommitPayload } from '../../src/memory/backend.ts'
import { acquireLock } from '../../src/util/lock.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

/** A mirror of these files, as a committed run leaves it. */
async function mirrored(...names: string[]): Promise<void> {
  for (const name of names) await w.store('memory', name, `- line of ${name}`, `notes on ${name}`)
  w.session('first', ['hello'], 0)
  await w.cycle()
}

const manyNames = (count: number): string[] => Array.from({ length: count }, (_, n) => `file-${n}`)

describe('what is committed', () => {
  it('is what differs by content: a touched or rewritten file with the same bytes is no change', async () => {
    await mirrored('a', 'b')
    w.write('memory/a.md', w.read('memory/a.md'))
    expect(await w.commit()).toMatchObject({ created: [], updated: [], unchanged: [] })
  })

  it('goes by the name in the front matter, then by the name that the file had, then by the file name', async () => {
    await mirrored('a')
    w.write('memory/whatever.md', memoryFile('Deploy Rules', '- never on friday'))
    w.write('memory/plain.md', '- no front matter\n')
    w.write('memory/a.md', '- a without its front matter\n')
    const report = await w.commit()
    expect(report.created.map((file) => file.name).sort()).toEqual(['Deploy Rules', 'plain'])
    expect(report.updated).toEqual([{ track: 'memory', name: 'a' }])
    expect(await w.stored('memory', 'Deploy Rules')).toBe('- never on friday')
    expect((await w.backend.listAllRecallFiles()).recall_files.find((file) => file.name === 'a')?.description).toBe('notes on a')
  })

  it('reports a file that cannot be read and lets the rest through', async () => {
    await mirrored('a')
    w.write('memory/broken.md', '---\nname: broken\n\n- never closed\n')
    w.write('memory/binary.md', 'a\0b')
    fs.writeFileSync(join(w.tree.tracks.memory, 'latin.md'), Buffer.from([0x2d, 0x20, 0xe9]))
    w.write('memory/huge.md', 'x'.repeat(1024 * 1024 + 1))
    w.write('memory/empty.md', '')
    fs.symlinkSync('/etc/hostname', join(w.tree.tracks.memory, 'link.md'))
    w.write('memory/good.md', memoryFile('good', '- kept'))
    const report = await w.commit()
    expect(report.created).toEqual([{ track: 'memory', name: 'good' }])
    expect(report.problems.map(({ on }) => on.split('/').at(-1)).sort()).toEqual(
      ['binary.md', 'broken.md', 'empty.md', 'huge.md', 'latin.md', 'link.md'].sort(),
    )
    expect(commitExit(report)).toBe(1)
    expect(w.read('memory/broken.md')).toBe('---\nname: broken\n\n- never closed\n')
  })

  it('takes a file with broken front matter as soon as it is mended, without losing what the store gained meanwhile', async () => {
    await mirrored('a')
    w.write('memory/a.md', '---\nname: a\ndescription: notes on a\n\n- line of a\n- mine\n')
    await w.commit()
    await w.store('memory', 'a', '- line of a\n- theirs', 'notes on a')
    w.session('second', ['more'], 1)
    const report = await w.prepare()
    expect(report.problems).toMatchObject([{ on: join(w.tree.base, 'memory/a.md'), reason: expect.stringContaining('never closed') }])
    expect(w.read('memory/a.md')).toContain('- mine')
    w.write('memory/a.md', memoryFile('a', '- line of a', '- mine'))
    expect((await w.commit()).merged).toEqual([{ track: 'memory', name: 'a' }])
    expect(await w.stored('memory', 'a')).toBe('- line of a\n- theirs\n- mine')
  })

  it.each(['../../x', 'CON', 'a/b', 'n'.repeat(300), '😀', 'Readme', 'readme'])('survives the name %s, there and back', async (name) => {
    await w.store('memory', name, '- one')
    await w.store('memory', 'README', '- another')
    w.session('first', ['hello'])
    await w.cycle()
    const path = `memory/${fileNameFor(name)}`
    expect(fs.readdirSync(w.root).sort()).toEqual(['log', 'tree'])
    w.write(path, `${w.read(path)}- two\n`)
    expect(await w.commit()).toMatchObject({ updated: [{ track: 'memory', name }], created: [], forgotten: [] })
    expect(await w.stored('memory', name)).toBe('- one\n- two')
    expect(await w.stored('memory', 'README')).toBe('- another')
  })

  it('joins two files that carry one name, and leaves one of them', async () => {
    await mirrored('a')
    w.write('memory/copy.md', memoryFile('a', '- line of a', '- from the copy'))
    expect(await w.commit()).toMatchObject({ updated: [{ track: 'memory', name: 'a' }], created: [] })
    expect(await w.stored('memory', 'a')).toBe('- line of a\n- from the copy')
    expect(fs.readdirSync(w.tree.tracks.memory)).toEqual(['a.md'])
    expect(w.read('memory/a.md')).toContain('- from the copy')
    expect(await w.commit()).toMatchObject({ updated: [], created: [] })
  })

  it('follows a file that the agent moved, and takes what it removed there for removed', async () => {
    await w.store('memory', 'a', '- one\n- two', 'notes on a')
    await mirrored('b')
    fs.rmSync(join(w.tree.tracks.memory, 'a.md'))
    w.write('memory/shop/notes.md', memoryFile('a', '- one', '- three'))
    expect(await w.commit()).toMatchObject({ updated: [{ track: 'memory', name: 'a' }], forgotten: [], merged: [] })
    expect(await w.stored('memory', 'a')).toBe('- one\n- three')
    w.session('second', ['more'], 1)
    await w.cycle()
    expect(fs.readdirSync(w.tree.tracks.memory).sort()).toEqual(['b.md', 'shop'])
    fs.rmSync(join(w.tree.tracks.memory, 'shop'), { recursive: true })
    expect(await w.commit()).toMatchObject({ forgotten: [{ name: 'a' }] })
  })

  it('keeps two names apart where one has the file name of the other', async () => {
    await mirrored('b')
    w.write('memory/x.md', memoryFile('y', '- of y'))
    await w.store('memory', 'x', '- of x')
    w.session('second', ['more'], 1)
    await w.prepare()
    expect(w.read('memory/x.md')).toBe(memoryFile('y', '- of y'))
    expect(await w.commit()).toMatchObject({ created: [{ name: 'y' }], updated: [], forgotten: [] })
    await w.store('memory', 'y', '- of y\n- more', 'notes on y')
    w.session('third', ['more'], 2)
    await w.cycle()
    expect(await w.commit()).toMatchObject({ created: [], updated: [], forgotten: [] })
    expect([await w.stored('memory', 'x'), await w.stored('memory', 'y')]).toEqual(['- of x', '- of y\n- more'])
    expect(w.read('memory/x.md')).toBe(memoryFile('y', '- of y', '- more'))
  })

  it('follows two files that swapped their names', async () => {
    await mirrored('a', 'b', 'c')
    w.write('memory/a.md', memoryFile('b', '- line of b'))
    w.write('memory/b.md', memoryFile('a', '- line of a'))
    await w.commit()
    w.session('second', ['more'], 1)
    await w.cycle()
    expect(await w.commit()).toMatchObject({ created: [], updated: [], forgotten: [] })
    expect([await w.stored('memory', 'a'), await w.stored('memory', 'b')]).toEqual(['- line of a', '- line of b'])
  })

  it('keeps front matter keys that are not ours, in the mirror', async () => {
    await mirrored('a')
    w.write('memory/a.md', '---\nname: a\nowner: ops\ndescription: notes on a\n---\n\n- line of a\n- two\n')
    await w.commit()
    await w.store('memory', 'a', '- line of a\n- two\n- three', 'notes on a')
    w.session('second', ['more'], 1)
    await w.cycle()
    expect(w.read('memory/a.md')).toBe('---\nname: a\ndescription: notes on a\nowner: ops\n---\n\n- line of a\n- two\n- three\n')
  })

  it('says where it came from', async () => {
    w.session('a', [
      { text: 'one', at: '2026-01-01T10:00:00.000Z' },
      { text: 'two', at: '2026-01-02T10:00:00.000Z' },
    ])
    await w.prepare()
    w.write('memory/n.md', memoryFile('n', '- x'))
    w.finish(1, 2, 3)
    await w.commit()
    const [file] = (await w.backend.listAllRecallFiles()).recall_files
    const [version] = await w.backend.history({ track: 'memory', name: 'n' })
    expect(file?.provenance ?? version?.provenance).toEqual({
      host: 'fake',
      hosts: ['fake'],
      sessions: ['a'],
      projects: ['/home/u/shop'],
      from: '2026-01-01T10:00:00.000Z',
      to: '2026-01-02T10:00:00.000Z',
    })
  })

  it('names the sessions of the marked jobs where a run was left half done', async () => {
    w.session('a', ['one'], 1)
    w.session('b', ['two'], 2)
    await w.prepare()
    w.write('memory/n.md', memoryFile('n', '- x'))
    w.finish(1)
    await w.commit({ onlyMarked: true })
    expect((await w.backend.history({ track: 'memory', name: 'n' }))[0]?.provenance).toMatchObject({ sessions: ['a'] })
  })

  it('says of each file which session it came from, where the executor knows', async () => {
    w.session('a', [{ text: 'one', at: '2026-01-01T10:00:00.000Z' }], 1)
    w.session('b', [{ text: 'two', at: '2026-01-02T10:00:00.000Z' }], 2)
    await w.prepare()
    for (const name of ['from-a', 'from-both', 'by-hand']) w.write(`memory/${name}.md`, memoryFile(name, '- x'))
    w.finish(1, 2, 3, 4, 5)
    const learned = [
      { track: 'memory', file: 'from-a', text: 'x', session: 'a', at: '2026-01-01T10:00:00.000Z', project: '/home/dev/shop' },
      { track: 'memory', file: 'from-both', text: 'x', session: 'a', at: '2026-01-01T10:00:00.000Z' },
      { track: 'memory', file: 'from-both', text: 'y', session: 'b', at: '2026-01-02T10:00:00.000Z' },
      { track: 'skill', file: 'by-hand', text: 'z', session: 'b' },
    ] as const
    await w.commit({ onlyMarked: true, learned })
    const sources = Object.fromEntries((await w.backend.listAllRecallFiles()).recall_files.map((file) => [file.name, file.provenance]))
    expect(sources).toEqual({
      'from-a': {
        host: 'fake',
        hosts: ['fake'],
        sessions: ['a'],
        projects: ['/home/dev/shop'],
        from: '2026-01-01T10:00:00.000Z',
        to: '2026-01-01T10:00:00.000Z',
      },
      'from-both': {
        host: 'fake',
        hosts: ['fake'],
        sessions: ['a', 'b'],
        from: '2026-01-01T10:00:00.000Z',
        to: '2026-01-02T10:00:00.000Z',
      },
      'by-hand': { host: 'fake', hosts: ['fake'] },
    })
  })

  it('names every host that had a part in a file, who wrote last at the end, and goes on from what names one alone', async () => {
    const learn = async (host: string, line: string) => {
      const deps = { ...w.deps, spec: { ...w.deps.spec, host, baseDir: () => join(w.root, host) } }
      await prepare({}, deps)
      const file = join(w.root, host, 'memory', 'n.md')
      fs.appendFileSync(file, fs.existsSync(file) ? `- ${line}\n` : memoryFile('n', `- ${line}`))
      await commit({}, deps)
      const [version] = await w.backend.history({ track: 'memory', name: 'n' })
      return version?.provenance
    }
    await w.backend.commitResults({ recall_files: [{ name: 'n', content: '- old', provenance: { host: 'early', sessions: ['e'] } }] })
    w.session('a', ['one'])
    expect(await learn('one', 'x')).toMatchObject({ host: 'one', hosts: ['early', 'one'], sessions: ['e', 'a'] })
    expect(await learn('two', 'y')).toMatchObject({ host: 'two', hosts: ['early', 'one', 'two'] })
    w.session('a', ['two'])
    expect(await learn('one', 'z')).toMatchObject({ host: 'one', hosts: ['early', 'two', 'one'] })
    const [file] = (await w.backend.listAllRecallFiles()).recall_files
    expect(file?.provenance?.hosts).toEqual(['early', 'two', 'one'])
  })

  it('keeps where earlier versions came from: the newest twenty sessions, the latest last', async () => {
    for (let n = 0; n < 22; n++) {
      w.session(`s${n}`, [{ text: `${n}`, at: `2026-01-${String(n + 1).padStart(2, '0')}T10:00:00.000Z` }], n)
      await w.prepare()
      w.write('memory/n.md', memoryFile('n', `- ${n}`))
      w.finish(1, 2, 3)
      await w.commit()
    }
    w.write('memory/n.md', memoryFile('n', '- by hand'))
    await w.commit()
    const [file] = (await w.backend.listAllRecallFiles()).recall_files
    expect(file?.provenance?.sessions).toEqual(Array.from({ length: 20 }, (_, n) => `s${n + 2}`))
    expect(file?.provenance).toMatchObject({ from: '2026-01-01T10:00:00.000Z', to: '2026-01-22T10:00:00.000Z' })
  })

  it('names an agent without a program after the folder of its sessions, until another one’s run', async () => {
    const deps = { ...w.deps, spec: { ...w.deps.spec, host: 'agent', agentName: (directory: string) => directory.split('/.')[1] } }
    const hosts = async () => (await w.backend.history({ track: 'memory', name: 'n' }))[0]?.provenance?.hosts
    for (const [folder, line] of [
      ['.weasel', '- x'],
      ['.stoat', '- y'],
      ['plain', '- z'],
    ] as const) {
      const directory = join(w.root, folder)
      fs.mkdirSync(directory)
      fs.writeFileSync(join(directory, `${line.slice(2)}.jsonl`), `${JSON.stringify({ text: line })}\n`)
      await prepare({ sessionDir: directory }, deps)
      w.write('memory/n.md', memoryFile('n', line))
      await commit({}, deps)
    }
    expect(await hosts()).toEqual(['weasel', 'stoat', 'agent'])
  })

  it('says by hand of what changed while no run was at work, until a session changes it again', async () => {
    const provenance = async () => (await w.backend.history({ track: 'memory', name: 'n' }))[0]?.provenance
    w.write('memory/n.md', memoryFile('n', '- typed'))
    await w.commit()
    expect(await provenance()).toEqual({ by_hand: true })
    w.session('a', ['one'])
    await w.prepare()
    w.write('memory/n.md', memoryFile('n', '- typed\n- x'))
    w.finish(1, 2, 3)
    await w.commit()
    const learned = await provenance()
    expect(learned).toMatchObject({ hosts: ['fake'], sessions: ['a'] })
    expect(learned).not.toHaveProperty('by_hand')
    w.write('memory/n.md', memoryFile('n', '- corrected\n- x'))
    await commit({}, { ...w.deps, spec: { ...w.deps.spec, host: 'other' } })
    expect(await provenance()).toEqual({ ...learned, by_hand: true })
  })

  it('says nothing of what changed beside the jobs of an executor that tells its own, or of a run that bridge left unfinished', async () => {
    await mirrored('a')
    w.session('b', ['two'], 2)
    const lock = acquireLock(w.tree.lock, { purpose: 'bridge' })
    await w.prepare({ lockToken: lock.token })
    lock.release()
    w.write('memory/a.md', memoryFile('a', '- one'))
    await w.commit({ onlyMarked: true, learned: [] })
    w.write('memory/a.md', memoryFile('a', '- two'))
    await w.commit({ onlyMarked: true })
    const versions = await w.backend.history({ track: 'memory', name: 'a' })
    expect(versions.map(({ provenance }) => provenance).slice(0, 2)).toEqual(
      Array.from({ length: 2 }, () => ({ host: 'fake', hosts: ['fake'] })),
    )
  })

  it('says nothing of by hand where the memory files are put into another store', async () => {
    await mirrored('a', 'b')
    const { openLocal } = await import('../../src/memory/open.ts')
    const other = await openLocal({ db: ':memory:' })
    await other.commitResults({ recall_files: [{ name: 'z', content: '- z' }] })
    await commit({}, { ...w.deps, backend: async () => other })
    expect((await other.history({ track: 'memory', name: 'a' }))[0]?.provenance).not.toHaveProperty('by_hand')
    await other.close()
  })
})

describe('both sides changed', () => {
  it('keeps the lines of both, and the mirror shows what the store holds', async () => {
    await mirrored('a')
    w.write('memory/a.md', memoryFile('a', '- line of a, mine'))
    await w.store('memory', 'a', '- line of a, theirs', 'notes on a')
    const report = await w.commit()
    expect(report.merged).toEqual([{ track: 'memory', name: 'a' }])
    expect(await w.stored('memory', 'a')).toBe('- line of a, theirs\n- line of a, mine')
    expect(w.read('memory/a.md')).toContain('- line of a, theirs\n- line of a, mine')
    const line = w.read('memory/a.md').split('\n').indexOf('- line of a, theirs') + 1
    expect(report.notices).toEqual([
      `${join(w.tree.tracks.memory, 'a.md')}, line ${line}: this line was changed here and elsewhere, so both stand. Keep one: "- line of a, theirs" or "- line of a, mine".`,
    ])
    expect(await w.commit()).toMatchObject({ updated: [], merged: [] })
  })

  it('keeps both also where the other side writes while this one commits', async () => {
    await mirrored('a')
    w.write('memory/a.md', memoryFile('a', '- line of a', '- mine'))
    let others = 0
    const racing = {
      ...w.backend,
      commitResults: async (payload: CommitPayload) => {
        if (others < 3)
          await w.store('memory', 'a', ['- line of a', ...['one', 'two', 'three'].slice(0, ++others)].join('\n'), 'notes on a')
        return w.backend.commitResults(payload)
      },
    }
    const report = await commit({}, { ...w.deps, backend: async () => racing })
    expect(report.merged).toEqual([{ track: 'memory', name: 'a' }])
    expect(await w.stored('memory', 'a')).toBe('- line of a\none\ntwo\nthree\n- mine')
  })

  it('does not take for a change what the store gained from elsewhere', async () => {
    await mirrored('a')
    await w.store('memory', 'a', '- line of a\n- elsewhere', 'notes on a')
    await w.store('memory', 'b', '- new elsewhere')
    expect(await w.commit()).toMatchObject({ updated: [], created: [], forgotten: [] })
    w.session('second', ['more'], 1)
    await w.cycle()
    expect(w.read('memory/a.md')).toContain('- elsewhere')
    expect(w.read('memory/b.md')).toContain('- new elsewhere')
    expect(await w.stored('memory', 'a')).toBe('- line of a\n- elsewhere')
  })

  it('keeps both where two agents made a file of one name', async () => {
    w.write('memory/n.md', memoryFile('n', '- mine'))
    await w.store('memory', 'n', '- theirs', 'notes on n')
    await w.commit()
    expect(await w.stored('memory', 'n')).toBe('- theirs\n- mine')
  })

  it('removes from the mirror what was forgotten elsewhere, unless the agent changed it', async () => {
    await mirrored('a', 'b')
    await w.backend.commitResults({
      forget: [
        { track: 'memory', name: 'a' },
        { track: 'memory', name: 'b' },
      ],
    })
    w.write('memory/b.md', memoryFile('b', '- line of b', '- and more'))
    w.session('second', ['more'], 1)
    await w.cycle()
    expect(w.has('memory/a.md')).toBe(false)
    expect(await w.stored('memory', 'b')).toBe('- line of b\n- and more')
  })

  it('does not forget what another host has changed since', async () => {
    await mirrored('a', 'b', 'c')
    await w.store('memory', 'a', '- line of a\n- news', 'notes on a')
    fs.rmSync(join(w.tree.tracks.memory, 'a.md'))
    const report = await w.commit()
    expect(report).toMatchObject({ forgotten: [], refused: [{ name: 'a', reason: expect.stringContaining('newer version') }] })
    expect(w.read('memory/a.md')).toContain('- news')
    w.write('memory/a.md', memoryFile('a', '- news'))
    expect(await w.commit()).toMatchObject({ updated: [{ name: 'a' }], merged: [] })
    expect(await w.stored('memory', 'a')).toBe('- news')
  })
})

describe('deleted files', () => {
  it('are forgotten in the store', async () => {
    await mirrored('a', 'b', 'c')
    fs.rmSync(join(w.tree.tracks.memory, 'b.md'))
    expect(await w.commit()).toMatchObject({ forgotten: [{ track: 'memory', name: 'b' }], refused: [] })
    expect(await w.stored('memory', 'b')).toBeUndefined()
    expect(await w.commit()).toMatchObject({ forgotten: [] })
  })

  it('are renamed where the file is there under another name', async () => {
    await mirrored('a', 'b', 'c')
    w.write('memory/a.md', memoryFile('a2', '- line of a'))
    expect(await w.commit()).toMatchObject({ created: [{ name: 'a2' }], forgotten: [{ name: 'a' }] })
  })

  it.each([
    ['a mirror emptied by mistake', 30, 30],
    ['a single file that was all there is', 1, 1],
    ['more than five', 40, 6],
    ['more than a fifth', 10, 3],
  ])('forget nothing in case of %s, and come back', async (_, total, deleted) => {
    await mirrored(...manyNames(total))
    for (const name of manyNames(deleted)) fs.rmSync(join(w.tree.tracks.memory, `${name}.md`))
    const report = await w.commit()
    expect(report.forgotten).toEqual([])
    expect(report.refused).toHaveLength(deleted)
    expect(commitExit(report)).toBe(1)
    expect(report.notices).toEqual([expect.stringMatching(/nothing was forgotten.*delete .* again and run: memu-fake commit --force$/)])
    expect(fs.readdirSync(w.tree.tracks.memory)).toHaveLength(total)
    expect(await w.commit()).toMatchObject({ refused: [], updated: [], created: [], notices: [] })
    expect((await w.backend.listAllRecallFiles({ limit: 100 })).recall_files).toHaveLength(total)
  })

  it('that look like an accident are told with their number, a handful of names and the command that means it', async () => {
    const moved = { baseDir: join(w.root, 'moved tree') }
    for (const name of manyNames(20)) await w.store('memory', name, `- line of ${name}`)
    w.session('first', ['hello'], 0)
    await w.prepare(moved)
    const folder = join(moved.baseDir, 'memory')
    for (const name of manyNames(8)) fs.rmSync(join(folder, `${name}.md`))
    await w.store('memory', 'file-0', '- newer in the store')
    const { refused, notices } = await w.commit(moved)
    expect(notices).toEqual([
      `8 of the 20 memory files under ${moved.baseDir} were deleted at once, which looks like an accident: nothing was forgotten, and they are back (memory/file-0, memory/file-1, memory/file-2, memory/file-3, memory/file-4 and 3 more). To forget them, delete them again and run: memu-fake commit --force --base-dir '${moved.baseDir}'`,
    ])
    expect(refused.map(({ reason }) => reason)).toContain('its deletion looks like an accident; put back')
  })

  it('that leave nothing are told in words for one file', async () => {
    await mirrored('a')
    fs.rmSync(join(w.tree.tracks.memory, 'a.md'))
    expect((await w.commit()).notices).toEqual([
      expect.stringMatching(/^The only memory file under .* was deleted, .* and it is back \(memory\/a\)\. To forget it, delete it again /),
    ])
  })

  it('are forgotten in any number with --force', async () => {
    await mirrored(...manyNames(10))
    fs.rmSync(w.tree.tracks.memory, { recursive: true })
    expect((await w.commit({ force: true })).forgotten).toHaveLength(10)
  })

  it('are nothing where no mirror was ever completed', async () => {
    await w.store('memory', 'a', '- x')
    expect(await w.commit()).toMatchObject({ forgotten: [], refused: [] })
    expect(await w.stored('memory', 'a')).toBe('- x')
  })

  it('are not what cannot be read: a file turned to junk is reported and its memory stays', async () => {
    await mirrored('a', 'b')
    w.write('memory/a.md', '\0\0')
    expect(await w.commit()).toMatchObject({ forgotten: [], problems: [{ reason: expect.stringContaining('NUL') }] })
    expect(await w.stored('memory', 'a')).toBe('- line of a')
  })
})

describe('which sessions advance', () => {
  beforeEach(() => {
    w.session('a', ['one'], 1)
    w.session('b', ['two'], 2)
    w.session('c', ['three'], 3)
  })

  it('are those whose jobs are all marked: an executor that stopped half way loses nothing', async () => {
    await w.prepare()
    w.finish(1, 2, 3, 4)
    expect(await w.commit()).toMatchObject({ advanced: ['a'], unfinished: 2 })
    const { sessions } = await w.prepare()
    expect(sessions.map((session) => session.id)).toEqual(['b', 'c'])
  })

  it('may be committed in several steps of one run', async () => {
    await w.prepare()
    w.finish(1, 4)
    await w.commit()
    w.finish(2, 5, 3, 6, 7)
    expect(await w.commit()).toMatchObject({ advanced: ['b', 'c'], unfinished: 0 })
    expect(await w.prepare()).toMatchObject({ sessions: [] })
  })

  it('are all of them where none was marked, for prompts that know no marks, unless only marks count', async () => {
    await w.prepare()
    w.write('memory/n.md', memoryFile('n', '- x'))
    expect(await w.commit({ onlyMarked: true })).toMatchObject({ advanced: [], unfinished: 3 })
    w.write('memory/n.md', memoryFile('n', '- y'))
    expect(await w.commit()).toMatchObject({ unfinished: 0, notices: [] })
    expect(await w.prepare()).toMatchObject({ sessions: [] })
  })

  it('are none where no job was marked and no memory file changed: nothing was done, and how to say otherwise is told', async () => {
    const { run } = await w.prepare()
    w.write('.resource.tmp', 'x')
    const report = await w.commit()
    expect(report).toMatchObject({ advanced: [], unfinished: 3, problems: [] })
    expect(report.notices).toEqual([
      expect.stringMatching(new RegExp(`3 sessions .* offered again.* memu-fake job-done 1 --run ${run} .*1, 2, 3, 4, 5, 6, 7`)),
    ])
    expect(commitExit(report)).toBe(0)
    expect(w.has('.resource.tmp')).toBe(true)
    expect((await w.prepare()).sessions).toHaveLength(3)
    w.finish(1, 2, 3, 4, 5, 6, 7)
    expect(await w.commit()).toMatchObject({ unfinished: 0, notices: [] })
  })

  it('leave a word for the rest of a run that is done in part: which jobs are not marked, of which session, and the command', async () => {
    const { run } = await w.prepare()
    w.finish(1, 2, 3, 4)
    const { notices, ...report } = await w.commit()
    expect(report).toMatchObject({ advanced: ['a'], unfinished: 2 })
    expect(notices).toEqual([
      expect.stringMatching(new RegExp(`^Not marked: job 5 of session b, job 6 of session c\\. .*memu-fake job-done 5 --run ${run}\\. `)),
    ])
    expect((await w.commit({ onlyMarked: true })).notices).toEqual([])
  })

  it('name a handful of sessions that are not marked, and count the others', async () => {
    for (const id of ['d', 'e', 'f', 'g']) w.session(id, ['more'], 4)
    await w.prepare({ maxJobs: 7 })
    w.finish(1)
    const { notices } = await w.commit()
    expect(notices).toEqual([
      expect.stringMatching(/^Not marked: job 8 of session a, jobs 2 and 9 of session b, .* and those of 2 more sessions\. /),
    ])
  })

  it('are none where bridge prepared the run and its executor marked nothing, whoever commits afterwards', async () => {
    const lock = acquireLock(w.tree.lock, { purpose: 'bridge' })
    await w.prepare({ lockToken: lock.token })
    lock.release()
    w.write('.resource.tmp', 'x')
    expect(await w.commit()).toMatchObject({ advanced: [], unfinished: 3 })
    expect(w.has('.resource.tmp')).toBe(true)
    expect((await w.prepare()).sessions).toHaveLength(3)
  })

  it('are not those whose output could not be committed, until it is mended', async () => {
    w.write('memory/old.md', '\0')
    await w.prepare()
    w.finish(1, 2, 3, 4, 5, 6, 7)
    w.write('memory/n.md', '---\nname: n\n\n- never closed\n')
    const report = await w.commit()
    expect(report).toMatchObject({ advanced: [], unfinished: 3, problems: [{}, {}] })
    expect(report.notices).toMatchObject([expect.stringContaining('3 of its sessions do not count as done')])
    w.write('memory/n.md', memoryFile('n', '- x'))
    expect(await w.commit()).toMatchObject({ advanced: ['a', 'b', 'c'], unfinished: 0, notices: [] })
  })

  it('are all of them where what cannot be committed was there before the run, also one that the run before had left', async () => {
    await w.prepare()
    w.write('memory/n.md', '\0')
    w.finish(1, 2, 3, 4, 5, 6, 7)
    expect(await w.commit()).toMatchObject({ advanced: [], unfinished: 3 })
    expect((await w.prepare()).sessions).toHaveLength(3)
    w.finish(1, 2, 3, 4, 5, 6, 7)
    expect(await w.commit()).toMatchObject({ advanced: ['a', 'b', 'c'], problems: [{}] })
  })

  it('are all but those that an executor names which wrote what could not be committed', async () => {
    await w.prepare()
    w.finish(1, 2, 3, 4, 5, 6, 7)
    for (const name of [fileNameFor('build notes'), 'bad.md']) w.write(`memory/${name}`, '\0')
    const learned = [
      { track: 'memory', file: 'build notes', text: 'x', session: 'b' },
      { track: 'memory', file: 'fine', text: 'x', session: 'a' },
      { track: 'skill', file: 'bad', text: 'x', session: 'c' },
    ] as const
    expect(await w.commit({ onlyMarked: true, learned })).toMatchObject({ advanced: ['a', 'c'], unfinished: 1 })
  })

  it('are none where the store refuses, and nothing else moves either', async () => {
    await w.prepare()
    w.finish(1, 2, 3, 4, 5, 6, 7)
    w.write('memory/n.md', memoryFile('n', '- x'))
    const before = [w.read('.memory_manifest.json'), w.read('.session_manifest.fake.json.pending')]
    const failing = { ...w.backend, commitResults: () => Promise.reject(new Error('disk full')) }
    await expect(commit({}, { ...w.deps, backend: async () => failing })).rejects.toThrow('disk full')
    expect([w.read('.memory_manifest.json'), w.read('.session_manifest.fake.json.pending')]).toEqual(before)
    expect(w.has('.session_manifest.fake.json')).toBe(false)
    expect(await w.commit()).toMatchObject({ created: [{ name: 'n' }], unfinished: 0 })
  })

  it('are told by marks that name a job of the run', async () => {
    await w.prepare()
    expect(() => w.finish(8)).toThrow(expect.objectContaining({ code: 'no_such_job', exit: 2 }))
    expect(() => w.finish(0)).toThrow(expect.objectContaining({ code: 'no_such_job' }))
    w.finish(1, 1)
  })
})
