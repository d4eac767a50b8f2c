import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { protobufFields } from '../../src/hosts/cursor/protobuf.ts'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import { sqliteClass } from '../../src/util/sqlite.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll } from '../contract/transcript-source.ts'
import { mutateLine } from '../fuzz/mutate.ts'
import { random } from '../helpers/random.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { conversationId, query, said, system, toolUse } from './cursor-lines.ts'
import { bytesField, cursorStoreLog, storePath, writeStore } from './cursor-store.ts'

hostContract(cursorStoreLog)

const session = conversationId(1)
const asked = (text: string) => ({ role: 'user', content: [{ type: 'text', text: `<user_query>\n${text}\n</user_query>` }] })
const answered = (text: string) => ({ role: 'assistant', content: [{ type: 'text', text }] })

async function home() {
  const home = temporaryFolder()
  const here = { ...system, home, platform: 'linux' as const }
  const source = await cursor.source(cursor.sessionDir(here) ?? '', here)
  const read = async (since?: Record<string, unknown>) => {
    const [found] = source.discover(noReport)
    if (found === undefined) throw new Error('not discovered')
    return { path: found.path, ...(await readAll(source, found, since)) }
  }
  return { home, store: storePath(join(home, '.cursor', 'chats'), session), source, read }
}

describe('Cursor: the store of an agent', () => {
  it('gives what was said, calls and results, and none of the thoughts and instructions', async () => {
    const h = await home()
    writeStore(h.store, {
      messages: [
        { role: 'system', content: 'instructions' },
        { role: 'user', content: [{ type: 'text', text: '<user_info>\nOS: linux\n</user_info>' }] },
        asked('why does checkout fail?'),
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Let me look.' },
            { type: 'tool-call', toolCallId: 't1', toolName: 'Shell', args: { command: 'npm test' } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 't1', toolName: 'Shell', result: { type: 'text', value: '1 failed' }, isError: true },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 't2', toolName: 'Read', output: { lines: 3 } }] },
        { role: 'assistant', content: 'The rate is read too early.' },
      ],
      about: { name: 'Fix tax' },
      more: bytesField(9, Buffer.from('file:///home/u/my%20shop')),
    })
    const { records, facts } = await h.read()
    expect(records.map(({ kind, role, text, tool }) => [kind, role, text, tool])).toEqual([
      ['message', 'user', 'why does checkout fail?', undefined],
      ['message', 'assistant', 'Let me look.', undefined],
      ['tool', 'tool', 'npm test', { part: 'call', name: 'Shell', call: 't1' }],
      ['tool', 'tool', '1 failed', { part: 'result', name: 'Shell', call: 't1', failed: true }],
      ['tool', 'tool', '{"lines":3}', { part: 'result', name: 'Read', call: 't2' }],
      ['message', 'assistant', 'The rate is read too early.', undefined],
    ])
    expect(facts).toEqual({ title: 'Fix tax', project: '/home/u/my shop' })
  })

  it('gives way to the transcript once that is written, whose records have the same keys', async () => {
    const h = await home()
    writeStore(h.store, { messages: [asked('yes'), answered('Done.'), asked('yes'), answered('Done.')] })
    const before = await h.read()
    expect(before.path).toBe(h.store)
    const transcript = join(h.home, '.cursor', 'projects', 'home-u-shop', 'agent-transcripts', session, `${session}.jsonl`)
    fs.mkdirSync(dirname(transcript), { recursive: true })
    const lines = [query('yes'), said('assistant', 'Done.'), query('yes'), said('assistant', 'Done.', toolUse('Shell', { command: 'ls' }))]
    fs.writeFileSync(transcript, lines.map((line) => `${line}\n`).join(''))
    const after = await h.read(before.cursor)
    expect(after).toMatchObject({ path: transcript, restarted: true })
    expect(after.records.slice(0, 4).map(({ key }) => key)).toEqual(before.records.map(({ key }) => key))
  })

  it('counts a message that is missing, and refuses a store without its list', async () => {
    const h = await home()
    writeStore(h.store, { messages: [asked('one')], more: bytesField(1, Buffer.alloc(32, 7)) })
    expect(await h.read()).toMatchObject({ texts: ['one'], bad: 1 })
    writeStore(h.store, { messages: [asked('one')], more: Buffer.from([0xff, 0xff]) })
    await expect(h.read()).rejects.toMatchObject({ code: 'session_unreadable' })
  })

  it('makes the session known in which a run is carried out before its first turn has ended', async () => {
    const h = await home()
    writeStore(h.store, { messages: [asked('make memory')] })
    expect(h.source.discover(noReport).map(({ id, owner }) => [id, owner])).toEqual([[session, session]])
  })
})

describe('Cursor: a store that the agent is writing', () => {
  it.each(['wal', 'delete'] as const)('is read beside it in %s mode, and holds it up at no time', async (journal) => {
    const h = await home()
    writeStore(h.store, { messages: [asked('one'), answered('two'), asked('three')], journal })
    const DatabaseSync = sqliteClass()
    const writer = new DatabaseSync(h.store, {})
    onTestFinished(() => writer.close())
    writer.exec('pragma busy_timeout = 0; create table probe (n integer)')
    writer.exec('begin immediate; delete from blobs; delete from meta')
    expect((await h.read()).texts).toEqual(['one', 'two', 'three'])
    writer.exec('rollback')
    let commits = 0
    const [found] = h.source.discover(noReport)
    await h.source.read(found!, undefined, () => {
      writer.exec('begin immediate; insert into probe values (1); commit')
      commits++
    })
    expect(commits).toBe(3)
  })

  it('is seen to change with what stands in the file beside it, and not with an empty one', async () => {
    const h = await home()
    writeStore(h.store, { messages: [asked('one')] })
    const beside = `${h.store}-wal`
    fs.rmSync(beside, { force: true })
    const before = h.source.discover(noReport)
    fs.writeFileSync(beside, '')
    expect(h.source.discover(noReport)).toEqual(before)
    fs.writeFileSync(beside, 'a commit')
    expect(h.source.discover(noReport)).toMatchObject([{ size: (before[0]?.size ?? 0) + 8 }])
  })

  it('is told from other databases when it is read', async () => {
    const h = await home()
    writeStore(h.store, { messages: [asked('one')] })
    const DatabaseSync = sqliteClass()
    const writer = new DatabaseSync(h.store, {})
    writer.exec('drop table blobs')
    writer.close()
    await expect(h.read()).rejects.toMatchObject({ code: 'session_unreadable', message: expect.stringContaining(h.store) as string })
  })
})

describe('Cursor: a store with damaged messages', () => {
  it('keeps every message between them, whatever they hold', { timeout: 120_000 }, async () => {
    const chance = random(20_260_901)
    const victim = JSON.stringify({
      role: 'assistant',
      content: [
        { type: 'text', text: 'a victim with "quotes"' },
        { type: 'tool-call', toolCallId: 't', toolName: 'Shell', args: { command: 'ls' } },
      ],
    })
    for (let round = 0; round < 10; round++) {
      const h = await home()
      const messages = Array.from({ length: 2_000 }, (_, i) =>
        i % 50 === 0 ? asked(`neighbour ${i}`) : mutateLine(victim, [victim], chance),
      )
      writeStore(h.store, { messages })
      const { texts } = await h.read()
      expect(texts.filter((text) => text.startsWith('neighbour '))).toEqual(Array.from({ length: 40 }, (_, i) => `neighbour ${50 * i}`))
    }
  })
})

describe('Protocol Buffers without a schema', () => {
  it('give the fields that hold bytes, whatever stands between them', () => {
    const between = fc.constantFrom([], [0x08, 0x96, 0x01], [0x11, 1, 2, 3, 4, 5, 6, 7, 8], [0x1d, 1, 2, 3, 4])
    const field = fc.record({ field: fc.integer({ min: 1, max: 15 }), bytes: fc.uint8Array({ maxLength: 300 }) })
    fc.assert(
      fc.property(fc.array(fc.tuple(field, between), { maxLength: 5 }), (parts) => {
        const message = Buffer.concat(parts.flatMap(([{ field, bytes }, more]) => [bytesField(field, bytes), Buffer.from(more)]))
        expect(protobufFields(message)?.map(({ field, bytes }) => [field, [...bytes]])).toEqual(
          parts.map(([{ field, bytes }]) => [field, [...bytes]]),
        )
      }),
    )
  })

  it('are told from other bytes without an end, a crash or a read past the end', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        for (const { bytes: inside } of protobufFields(bytes) ?? []) expect(inside.length).toBeLessThanOrEqual(bytes.length)
      }),
    )
    for (const bytes of [[0x0a], [0x0a, 5, 1], [0x08], [0x0b], [0x08, ...Array<number>(11).fill(0x80)], [0x11, 1]]) {
      expect(protobufFields(Uint8Array.from(bytes)), bytes.join()).toBeUndefined()
    }
  })
})
