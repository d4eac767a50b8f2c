import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { markDone } from '../../src/bridging/done.ts'
import { prepare } from '../../src/bridging/prepare.ts'
import { verifyResources } from '../../src/bridging/resources.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

const outside = (name: string): string => join(w.root, name)

/** Makes the manifest name another path for the file `a`, as an agent could that was led astray. */
function redirect(path: string): void {
  const manifest = JSON.parse(w.read('.memory_manifest.json')) as { files: Record<string, unknown> }
  manifest.files = { [path]: manifest.files['memory/a.md'] }
  w.write('.memory_manifest.json', JSON.stringify(manifest))
}

describe('a manifest that an agent wrote', () => {
  beforeEach(async () => {
    await w.store('memory', 'a', '- line of a', 'notes on a')
    w.session('first', ['hello'], 0)
    await w.cycle()
    fs.writeFileSync(outside('victim.md'), w.read('memory/a.md'))
  })

  it.each([
    '../victim.md',
    'memory/../../victim.md',
    'memory/./../../victim.md',
    'memory\\..\\..\\victim.md',
    'memory//victim.md',
    'memory',
  ])('makes nobody write or delete outside the mirror: %s', async (path) => {
    const before = fs.readFileSync(outside('victim.md'), 'utf8')
    redirect(path)
    await w.store('memory', 'a', '- changed', 'notes on a')
    w.session('second', ['more'], 1)
    const report = await w.prepare()
    expect(report.notices).toMatchObject([expect.stringContaining('kept as .memory_manifest.json.bad-1')])
    expect(fs.readFileSync(outside('victim.md'), 'utf8')).toBe(before)

    redirect(path)
    await w.backend.commitResults({ forget: [{ track: 'memory', name: 'a' }] })
    w.session('second', ['and more'], 2)
    await w.prepare()
    expect(fs.readFileSync(outside('victim.md'), 'utf8')).toBe(before)
  })

  it('makes nobody write, read or delete through a folder that is a link', async () => {
    const before = fs.readFileSync(outside('victim.md'), 'utf8')
    fs.symlinkSync(w.root, join(w.tree.tracks.memory, 'sub'))
    redirect('memory/sub/victim.md')
    await w.store('memory', 'a', '- changed', 'notes on a')
    w.session('second', ['more'], 1)
    const report = await w.prepare()
    expect(report.problems).toMatchObject([{ reason: expect.stringContaining('its folder memory/sub is a link') }])
    await w.backend.commitResults({ forget: [{ track: 'memory', name: 'a' }] })
    w.session('second', ['and more'], 2)
    await w.prepare()
    await w.commit()
    expect(fs.readFileSync(outside('victim.md'), 'utf8')).toBe(before)
  })
})

describe('a link in the tree', () => {
  it.each([
    '.memory_manifest.json',
    '.session_manifest.fake.json',
    '.session_manifest.fake.json.pending',
    '.bridging_run.fake.json',
    '.mined_keys',
    '.snapshot',
    'memory',
    'sessions',
  ])('is refused, and nothing is written through it: %s', async (name) => {
    fs.mkdirSync(w.tree.base)
    fs.writeFileSync(outside('victim'), 'mine')
    fs.symlinkSync(outside('victim'), join(w.tree.base, name))
    w.session('a', ['one'])
    await expect(w.prepare()).rejects.toMatchObject({ code: 'link_in_tree', hint: expect.stringContaining('Replace it') })
    await expect(w.commit()).rejects.toMatchObject({ code: 'link_in_tree' })
    expect(fs.readFileSync(outside('victim'), 'utf8')).toBe('mine')
  })

  it('is refused by the commands that agents run, too', async () => {
    w.session('a', ['one'])
    await w.prepare()
    fs.writeFileSync(outside('victim'), 'mine')
    fs.symlinkSync(outside('victim'), w.tree.resources)
    expect(() => verifyResources(w.tree)).toThrow(expect.objectContaining({ code: 'link_in_tree' }))
    expect(() => w.finish(1)).toThrow(expect.objectContaining({ code: 'link_in_tree' }))
    fs.rmSync(w.tree.resources)
    fs.mkdirSync(w.tree.done)
    fs.symlinkSync(outside('victim'), join(w.tree.done, '1'))
    w.finish(1)
    expect(fs.readFileSync(outside('victim'), 'utf8')).toBe('mine')
  })

  it('may be the tree itself', async () => {
    fs.mkdirSync(outside('elsewhere'))
    fs.symlinkSync(outside('elsewhere'), w.tree.base)
    w.session('a', ['one'])
    expect((await w.cycle()).committed).toMatchObject({ advanced: ['a'] })
  })
})

describe('a folder that was given with --base-dir', () => {
  it('is refused where it holds other things, and every file of it stays', async () => {
    const baseDir = outside('another-program')
    fs.mkdirSync(join(baseDir, 'sessions'), { recursive: true })
    fs.writeFileSync(join(baseDir, 'sessions', '1.jsonl'), 'a session of theirs')
    w.session('a', ['one'])
    for (let run = 0; run < 2; run++) await expect(w.prepare({ baseDir })).rejects.toMatchObject({ code: 'not_our_folder', exit: 2 })
    await expect(w.commit({ baseDir })).rejects.toMatchObject({ code: 'not_our_folder', exit: 2 })
    expect(fs.readdirSync(baseDir)).toEqual(['sessions'])
    expect(fs.readFileSync(join(baseDir, 'sessions', '1.jsonl'), 'utf8')).toBe('a session of theirs')
  })

  it('is taken where it is new, or holds memory alone, and is known again', async () => {
    const baseDir = outside('notes')
    fs.mkdirSync(join(baseDir, 'memory'), { recursive: true })
    fs.writeFileSync(join(baseDir, 'memory', 'n.md'), memoryFile('n', '- x'))
    w.session('a', ['one'])
    await w.prepare({ baseDir })
    fs.writeFileSync(join(baseDir, 'README.md'), 'a person put this here afterwards')
    expect(await w.prepare({ baseDir })).toMatchObject({ sessions: [{ id: 'a' }] })
    expect(await w.commit({ baseDir })).toMatchObject({ created: [{ name: 'n' }] })
  })
})

it('removes of its folders only what a run wrote', async () => {
  w.session('a', ['one'])
  await w.prepare()
  const kept = ['jobs/notes.txt', 'sessions/rollout-2026.jsonl', 'sessions/2026/1.jsonl', '.done/read-me']
  for (const path of kept) w.write(path, 'somebody’s')
  w.finish(1, 2, 3)
  await w.commit()
  for (const path of kept) expect(w.read(path)).toBe('somebody’s')
  expect([w.has('jobs/1.txt'), w.has('sessions/1.jsonl'), w.has('sessions/1_full.jsonl'), w.has('.done/1')]).toEqual(Array(4).fill(false))
})

describe('marks', () => {
  it('of another run are refused and count for nothing: an agent that was given up wakes too late', async () => {
    w.session('a', ['one'])
    const first = await w.prepare()
    w.session('b', ['two'], 1)
    const later = await prepare({}, { ...w.deps, system: { ...w.deps.system, now: () => new Date('2030-01-01') } })
    expect(later.run).not.toBe(first.run)
    expect(() => markDone(w.tree, 1, first.run)).toThrow(expect.objectContaining({ code: 'run_is_over', exit: 2 }))
    for (const job of [1, 2, 3, 4, 5]) w.write(`.done/${first.run}-${job}`, '')
    expect(await w.commit({ onlyMarked: true })).toMatchObject({ advanced: [], unfinished: 2 })
    for (const job of later.jobs) markDone(w.tree, job.number, later.run)
    expect(await w.commit({ onlyMarked: true })).toMatchObject({ advanced: ['a', 'b'], unfinished: 0 })
  })

  it('are asked for with the run in the job’s own text', async () => {
    w.session('a', ['one'])
    const { run } = await w.prepare()
    expect(w.read('jobs/1.txt')).toContain(`memu-fake job-done 1 --run ${run}\n`)
  })
})
