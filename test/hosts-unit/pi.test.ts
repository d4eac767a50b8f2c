import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { pi } from '../../src/hosts/pi/spec.ts'
import type { SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { realSystem } from '../../src/util/system.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll, transcriptSourceContract } from '../contract/transcript-source.ts'
import { time } from './claude-code-lines.ts'
import { call, entry, header, message, result, sessionId } from './pi-lines.ts'
import { piLines, piLog } from './pi-log.ts'

const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

transcriptSourceContract(piLines)
hostContract(piLog)

describe('pi', () => {
  let root: string
  let source: TranscriptSource
  const session = sessionId(1)

  beforeEach(async () => {
    root = fs.mkdtempSync(join(tmpdir(), 'memu-pi-'))
    source = await pi.source(root, system)
  })
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

  function write(lines: readonly string[], id = session): string {
    const path = piLines.path(root, id)
    fs.mkdirSync(dirname(path), { recursive: true })
    fs.writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
    return path
  }
  const found = (id = session) => source.discover(noReport).find((known) => known.id === id)!
  const read = (lines: readonly string[], since?: SourceCursor) => {
    write(lines)
    return readAll(source, found(), since)
  }

  it('tells messages and tools from what the program notes for itself', async () => {
    const { records, facts } = await read([
      header(session),
      message(1, 'system', '', { sections: { preamble: 'You are an agent' } }),
      message(2, 'user', [
        { type: 'text', text: 'look at this' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ]),
      message(3, 'assistant', [
        { type: 'thinking', thinking: 'hm' },
        { type: 'text', text: 'I read it.' },
        { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.ts' } },
        { type: 'toolCall', id: 'c2', name: 'bash', arguments: { command: 'npm test' } },
      ]),
      message(4, 'toolResult', [{ type: 'text', text: 'gone' }], { toolCallId: 'c1', toolName: 'read', isError: true }),
      message(5, 'bashExecution', undefined, { command: 'git status', output: 'clean', exitCode: 0 }),
      message(6, 'bashExecution', undefined, { command: 'pass show key', output: 'secret', exitCode: 0, excludeFromContext: true }),
      message(7, 'custom', 'injected', { customType: 'memory', display: true }),
      message(8, 'hookMessage', 'injected'),
      message(9, 'branchSummary', 'a summary'),
      message(10, 'compactionSummary', 'a summary'),
      entry('custom_message', 11, { customType: 'memory', content: 'injected', display: true }),
      entry('compaction', 12, { summary: 'a summary', firstKeptEntryId: 'x', systemMessage: { role: 'system', content: 'You' } }),
      entry('branch_summary', 13, { summary: 'a summary', fromId: 'x' }),
      entry('label', 14, { targetId: 'x', label: 'here' }),
      entry('usage', 15, { kind: 'cache_warm' }),
      entry('context_edit', 16, { targetId: 'x', replacement: 'other words' }),
      entry('session_info', 17, { name: ' Checkout ' }),
      entry('unheard_of', 18, { message: { role: 'user', content: 'not a message' } }),
    ])
    expect(records.map(({ kind, role, text, tool }) => [kind, role, text, tool])).toEqual([
      ['message', 'user', 'look at this\n[image]', undefined],
      ['message', 'assistant', 'I read it.', undefined],
      ['tool', 'tool', '{"path":"a.ts"}', { part: 'call', name: 'read', call: 'c1' }],
      ['tool', 'tool', 'npm test', { part: 'call', name: 'bash', call: 'c2' }],
      ['tool', 'tool', 'gone', { part: 'result', name: 'read', call: 'c1', failed: true }],
      ['tool', 'tool', 'git status', { part: 'call', name: 'bash', call: '00000050' }],
      ['tool', 'tool', 'clean', { part: 'result', name: 'bash', call: '00000050' }],
    ])
    expect(facts).toEqual({ title: 'Checkout', project: '/home/u/shop' })
  })

  it('takes the last name as the title, and none where it was taken back', async () => {
    const lines = [header(session), entry('session_info', 1, { name: 'one' }), entry('session_info', 2, { name: 'two' })]
    expect((await read(lines)).facts.title).toBe('two')
    expect((await read([...lines, entry('session_info', 3, { name: '' })])).facts).not.toHaveProperty('title')
    expect((await read([...lines, entry('title_change', 3, { title: 'three' })])).facts.title).toBe('three')
  })

  it('keeps what was said on a branch that was left', async () => {
    const { texts } = await read([
      header(session),
      message(1, 'user', 'use tabs'),
      message(2, 'assistant', [{ type: 'text', text: 'Tabs it is.' }]),
      entry('message', 3, { parentId: null, message: { role: 'user', content: 'use spaces' } }),
    ])
    expect(texts).toEqual(['use tabs', 'Tabs it is.', 'use spaces'])
  })

  it('knows what it has read when an old session is opened again and rewritten in a newer format', async () => {
    const said = (number: number, role: string, text: string): object => ({
      type: 'message',
      timestamp: time(number),
      message: { role, content: [{ type: 'text', text }], timestamp: Date.parse(time(number)) },
    })
    const old = [said(1, 'user', 'first'), said(2, 'assistant', 'second'), said(3, 'user', 'third')]
    const before = await read([header(session, { version: undefined }), ...old.map((line) => JSON.stringify(line))])
    const migrated = old.map((line, n) => JSON.stringify({ ...line, id: `abcdef0${n}`, parentId: n > 0 ? `abcdef0${n - 1}` : null }))
    const after = await read([header(session, { version: 2 }), ...migrated, message(4, 'user', 'fourth')], before.cursor)
    expect(after.restarted).toBe(true)
    expect(after.records.slice(0, 3).map(({ key }) => key)).toEqual(before.records.map(({ key }) => key))
    expect(after.texts).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('tells equal words apart by their time or, where there is none, by their entry', async () => {
    const bare = (id: string): string => JSON.stringify({ type: 'message', id, message: { role: 'user', content: 'yes' } })
    const { texts } = await read([header(session), message(1, 'user', 'yes'), message(2, 'user', 'yes'), bare('a'), bare('b'), bare('b')])
    expect(texts).toHaveLength(4)
  })

  it('takes what a tool printed for the same when it was shortened later', async () => {
    const before = await read([header(session), call(1, 'ls'), result(1, 'a.ts\nb.ts')])
    const after = await read([header(session), call(1, 'ls'), result(1, '[shortened]'), message(2, 'user', 'go on')], before.cursor)
    expect(after.restarted).toBe(true)
    expect(after.records.slice(0, 2).map(({ key }) => key)).toEqual(before.records.map(({ key }) => key))
  })

  it('takes the time of the message where the entry has none', async () => {
    const { records } = await read([
      header(session),
      entry('message', 1, { timestamp: undefined, message: { role: 'user', content: 'hi', timestamp: 1_788_249_600_000 } }),
    ])
    expect(records[0]?.at).toBe('2026-09-01T08:00:00.000Z')
  })

  it('mines a fork from where it left the session that it came from', async () => {
    const shared = [message(1, 'user', 'first'), call(2, 'ls'), result(2, 'a.ts')]
    const original = write([header(session), ...shared])
    const fork = sessionId(2)
    write([header(fork, { timestamp: time(100), parentSession: original }), ...shared, message(101, 'user', 'in the fork')], fork)
    expect((await readAll(source, found(fork))).texts).toEqual(['in the fork'])
    // A header may be of another machine or of before the project was moved.
    write([header(fork, { timestamp: time(100), parentSession: `C:\\old\\2026_${session}.jsonl` }), ...shared], fork)
    expect((await readAll(source, found(fork))).texts).toEqual([])
    fs.rmSync(original)
    expect((await readAll(source, found(fork))).texts).toEqual(['first', 'ls', 'a.ts'])
  })

  it('finds sessions in one folder without folders for projects, and takes the copy written last', () => {
    fs.writeFileSync(join(root, `2026-09-01T08-00-00-000Z_my_own.id.jsonl`), `${header('my_own.id')}\n`)
    fs.writeFileSync(join(root, 'notes.txt'), 'no log')
    const later = write([header(session)])
    const moved = join(root, '--home-u-moved--', `2026-09-01T08-00-00-000Z_${session}.jsonl`)
    fs.mkdirSync(dirname(moved))
    fs.copyFileSync(later, moved)
    fs.utimesSync(later, new Date(1000), new Date(1000))
    expect(source.discover(noReport).map(({ id, path }) => [id, path])).toEqual(
      expect.arrayContaining([
        ['my_own.id', expect.any(String)],
        [session, moved],
      ]),
    )
    expect(source.discover(noReport)).toHaveLength(2)
  })

  it('looks where pi keeps its sessions, also when that was moved', () => {
    const at = (env: Record<string, string> = {}): string | undefined => pi.sessionDir({ ...system, home: root, env })
    expect(at()).toBe(join(root, '.pi', 'agent', 'sessions'))
    expect(at({ PI_CODING_AGENT_DIR: '~/agent' })).toBe(join(root, 'agent', 'sessions'))
    expect(at({ PI_CODING_AGENT_DIR: '/x', PI_CODING_AGENT_SESSION_DIR: '/s' })).toBe('/s')
    fs.mkdirSync(join(root, '.omp', 'agent', 'sessions'), { recursive: true })
    expect(at()).toBe(join(root, '.omp', 'agent', 'sessions'))
    fs.mkdirSync(join(root, '.pi', 'agent', 'sessions'), { recursive: true })
    expect(at()).toBe(join(root, '.pi', 'agent', 'sessions'))
    const places = [
      ['{"sessionDir": "~/moved"}', join(root, 'moved')],
      ['{"sessionDir": "in/the/project"}', join(root, '.pi', 'agent', 'sessions')],
      ['{"sessionDir": 7}', join(root, '.pi', 'agent', 'sessions')],
      ['null', join(root, '.pi', 'agent', 'sessions')],
      ['{broken', join(root, '.pi', 'agent', 'sessions')],
    ] as const
    for (const [settings, place] of places) {
      fs.writeFileSync(join(root, '.pi', 'agent', 'settings.json'), settings)
      expect(at(), settings).toBe(place)
    }
    expect(at({ PI_CODING_AGENT_SESSION_DIR: '/s' })).toBe('/s')
  })
})
