import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryFile, type World, world } from './world.ts'

describe('the loop from session log to store', () => {
  let w: World
  beforeEach(async () => {
    w = await world()
  })
  afterEach(() => w.end())

  it('brings what an agent wrote in the mirror into the store, and moves the cursors then', async () => {
    w.session('a', ['the build runs with make ship', { tool: 'Bash', text: 'make ship' }])
    const prepared = await w.prepare()
    expect(prepared.jobs.map((job) => job.kind)).toEqual(['memory', 'skill', 'resource'])
    expect(w.said('1')).toEqual(['the build runs with make ship'])
    expect(w.said('1_full')).toEqual(['the build runs with make ship', 'make ship'])
    expect(w.read('jobs/1.txt')).toContain(`${w.tree.sessions}/1.jsonl`)
    expect(w.read('jobs/3.txt')).toContain('memu-fake job-done 3')

    w.write('memory/build.md', memoryFile('build', '- shop: the build runs with `make ship`'))
    w.finish(1, 2, 3)
    const committed = await w.commit()
    expect(committed).toMatchObject({ created: [{ track: 'memory', name: 'build' }], advanced: ['a'], unfinished: 0, problems: [] })
    expect(await w.stored('memory', 'build')).toBe('- shop: the build runs with `make ship`')
    expect(w.has('jobs')).toBe(false)

    expect((await w.prepare()).sessions).toEqual([])
    w.session('a', ['and with make dock since today'], 5)
    await w.prepare()
    expect(w.said('1')).toEqual(['and with make dock since today'])
  })

  it('takes a hand-edited mirror without any run', async () => {
    await w.store('memory', 'prefs', '- likes tabs')
    w.session('a', ['hello'])
    await w.cycle()
    w.write('memory/prefs.md', memoryFile('prefs', '- likes spaces'))
    expect(await w.commit()).toMatchObject({ updated: [{ track: 'memory', name: 'prefs' }], advanced: [] })
    expect(await w.stored('memory', 'prefs')).toBe('- likes spaces')
  })

  it('reports zero sessions as a normal outcome, without jobs and without opening the store', async () => {
    const quiet = await world({ deps: { backend: () => Promise.reject(new Error('the store was opened')) } })
    try {
      expect(await quiet.prepare()).toMatchObject({ sessions: [], jobs: [], problems: [], waiting: 0 })
      expect(await quiet.commit()).toMatchObject({ created: [], advanced: [] })
    } finally {
      await quiet.end()
    }
  })
})
