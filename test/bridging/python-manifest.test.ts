import * as fs from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeCode, codex } from '../../src/hosts/registry.ts'
import { assistant, sessionId, user } from '../hosts-unit/claude-code-lines.ts'
import { memoryFile, type World, world } from './world.ts'

let w: World
beforeEach(async () => {
  w = await world()
  fs.mkdirSync(w.tree.base, { recursive: true })
})
afterEach(() => w.end())

function pythonManifest(entries: Record<string, unknown>): void {
  fs.writeFileSync(w.tree.sessionManifest, JSON.stringify(entries, null, 2))
}

describe('the cursors of the Python memU', () => {
  it.each([
    ['as objects', { lines: 2, last_timestamp: null }],
    ['as numbers', 2],
  ])('are taken over %s: nothing is mined again, nothing new is lost', async (_, entry) => {
    w.session('a', ['one', 'two'], 1)
    w.session('b', ['one', 'two', 'three'], 2)
    w.session('c', ['never seen'], 3)
    pythonManifest({ 'a.jsonl': entry, 'b.jsonl': entry })
    const report = await w.prepare()
    expect(report.sessions.map((session) => session.id)).toEqual(['b', 'c'])
    expect(w.said('1')).toEqual(['three'])
    w.finish(1, 2, 3, 4, 5)
    await w.commit()
    w.session('a', ['three'], 4)
    expect(await w.prepare()).toMatchObject({ skipped: { unchanged: 2 } })
    expect(w.said('1')).toEqual(['three'])
  })

  it('count non-blank lines, and a last one that was half written comes again whole', async () => {
    fs.writeFileSync(join(w.log, 'a.jsonl'), '{"text":"one"}\n\n  \n{"text":"two"}\n{"text":"three"}\n')
    pythonManifest({ 'a.jsonl': { lines: 2 } })
    await w.prepare()
    expect(w.said('1')).toEqual(['three'])
    fs.writeFileSync(join(w.log, 'a.jsonl'), '{"text":"one"}\n{"te')
    expect(await w.prepare()).toMatchObject({ sessions: [] })
    fs.writeFileSync(join(w.log, 'a.jsonl'), '{"text":"one"}\n{"text":"two"}\n')
    await w.prepare()
    expect(w.said('1')).toEqual(['two'])
  })

  it('say nothing about a session that has become shorter: it is read from its start', async () => {
    w.session('a', ['one'], 1)
    pythonManifest({ 'a.jsonl': { lines: 7 } })
    await w.prepare()
    expect(w.said('1')).toEqual(['one'])
  })

  it('stay for sessions whose turn has not come', async () => {
    w.session('a', ['one', 'two'], 1)
    w.session('b', ['one', 'two'], 2)
    pythonManifest({ 'a.jsonl': { lines: 1 }, 'b.jsonl': { lines: 1 }, 'gone.jsonl': { lines: 5 } })
    await w.cycle({ maxJobs: 1 })
    await w.prepare({ maxJobs: 1 })
    expect(w.said('1')).toEqual(['two'])
    expect((await w.prepare()).skipped.unchanged).toBe(1)
  })

  it('fit the logs of Claude Code', async () => {
    const id = sessionId(1)
    const directory = join(w.log, '-home-u-shop')
    fs.mkdirSync(directory)
    const lines = [user(id, 1, 'first'), assistant(id, 2, 'answer'), user(id, 3, 'second')]
    fs.writeFileSync(join(directory, `${id}.jsonl`), `${lines.join('\n')}\n`)
    pythonManifest({ [`-home-u-shop/${id}.jsonl`]: { lines: 2, last_timestamp: null } })
    const { prepare } = await import('../../src/bridging/prepare.ts')
    const spec = { ...w.deps.spec, source: claudeCode.source }
    await prepare({}, { ...w.deps, spec })
    expect(w.said('1')).toEqual(['second'])
  })

  it('fit the logs of Codex, wherever the file lies now', async () => {
    const id = '01890a5d-ac96-774b-bcce-b302099a8057'
    const name = `rollout-2026-01-02T03-04-05-${id}.jsonl`
    const directory = join(w.log, '2026', '01', '02')
    fs.mkdirSync(directory, { recursive: true })
    const record = (type: string, payload: object): string => JSON.stringify({ timestamp: '2026-01-02T03:04:05.000Z', type, payload })
    const said = (role: string, text: string): string =>
      record('response_item', { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] })
    const lines = [
      record('session_meta', { id, cwd: '/home/u/shop' }),
      said('user', 'first'),
      said('assistant', 'answer'),
      said('user', 'second'),
    ]
    fs.writeFileSync(join(directory, name), `${lines.join('\n')}\n`)
    pythonManifest({ [`2025/12/31/${name}`]: { lines: 3 } })
    const { prepare } = await import('../../src/bridging/prepare.ts')
    await prepare({}, { ...w.deps, spec: { ...w.deps.spec, source: codex.source } })
    expect(w.said('1')).toEqual(['second'])
  })
})

describe('the mirror of the Python memU', () => {
  it('is taken over: hashes without texts are kept aside, and its files are joined with ours without doubling a line', async () => {
    await w.store('memory', 'Build Commands', '- make\n- make ship', 'notes on Build Commands')
    w.write(
      'memory/Build-Commands.md',
      '---\nname: Build Commands\ndescription: notes on Build Commands\n---\n- make\n- make ship\n- not committed yet\n',
    )
    w.write('.memory_manifest.json', '{\n  "memory/Build-Commands.md": "0123"\n}')
    w.session('a', ['hello'])
    const { prepared, committed } = await w.cycle()
    expect(prepared.notices[0]).toContain('was kept as .memory_manifest.json.bad-1')
    expect(committed).toMatchObject({ updated: [{ track: 'memory', name: 'Build Commands' }], created: [], forgotten: [], problems: [] })
    expect(await w.stored('memory', 'Build Commands')).toBe('- make\n- make ship\n- not committed yet')
    expect(fs.readdirSync(w.tree.tracks.memory)).toHaveLength(1)
    w.write(`memory/${fs.readdirSync(w.tree.tracks.memory)[0]}`, memoryFile('Build Commands', '- make'))
    await w.commit()
    expect(await w.stored('memory', 'Build Commands')).toBe('- make')
  })
})
