import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
})
afterEach(() => w.end())

const odd = [
  '',
  '{"ver',
  'null',
  '[]',
  '7',
  '"x"',
  '{}',
  '{"version":1}',
  '{"version":"1","sessions":{}}',
  '{"version":1,"sessions":[]}',
  '{"version":1,"sessions":{"a":null,"b":7,"c":{"size":1}}}',
  '{"version":1,"sessions":{"a":{"size":1,"modified":1,"mined":"never","waits":true,"missing":"x"}}}',
  '{"version":1,"run":"x","resourceJob":1,"sessions":[null]}',
  '{"version":1,"run":"x","resourceJob":1,"sessions":[{"id":"a","owner":"a"}]}',
  '{"version":1,"run":"x","resourceJob":1,"sessions":[{"id":"a","owner":"a","jobs":[],"entry":null}]}',
  '{"version":1,"files":[]}',
  '{"version":1,"files":{"memory/a.md":null}}',
  '{"version":1,"files":{"memory/a.md":{"track":"memory","name":"a","disk":"x","base":"../../victim"}}}',
  '{"run":7,"started":7,"session":7}',
  '[null,7,"a"]',
  '\u0000\ufffd',
]

describe.each([
  '.session_manifest.fake.json',
  '.session_manifest.fake.json.pending',
  '.memory_manifest.json',
  '.self_sessions.fake.json',
  '.bridging_run.fake.json',
])('whatever stands in %s', (name) => {
  it('the next run goes through and no memory is lost', async () => {
    await w.store('memory', 'a', '- line of a', 'notes on a')
    w.session('s', ['hello'], 0)
    await w.cycle()
    for (const [at, text] of odd.entries()) {
      w.write(name, text)
      w.session('s', [`more ${at}`], at + 1)
      const prepared = await w.prepare()
      expect(prepared.problems, text).toEqual([])
      w.write(name === '.session_manifest.fake.json.pending' ? name : '.unused', text)
      expect(await w.commit(), text).toMatchObject({ forgotten: [], problems: [] })
      expect(await w.stored('memory', 'a'), text).toBe('- line of a')
      expect(fs.existsSync(join(w.tree.tracks.memory, 'a.md')), text).toBe(true)
    }
  })
})

describe.skipIf(process.platform === 'win32')('a pipe in place of', () => {
  it.each([
    ['.session_manifest.fake.json', /pipe/],
    ['.self_sessions.fake.json', /pipe/],
    ['.memory_manifest.json', /pipe/],
    ['.session_manifest.fake.json.pending', undefined],
    ['.bridging_run.fake.json', undefined],
    ['.resource.tmp', undefined],
    ['resources.md', /pipe/],
  ])('%s stops no run without end: it is said, or made anew', async (name, refusal) => {
    w.session('s', ['hello'], 0)
    await w.cycle()
    const path = join(w.tree.base, name)
    fs.rmSync(path, { force: true })
    execFileSync('mkfifo', [path])
    w.session('s', ['more'], 1)
    const told = await w.cycle().then((run) => JSON.stringify(run), String)
    if (refusal !== undefined) expect(told).toMatch(refusal)
    fs.rmSync(path, { force: true })
    await w.cycle()
  })
})
