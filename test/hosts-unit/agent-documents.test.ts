import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elements } from '../../src/hosts/agent/document.ts'
import { agent } from '../../src/hosts/agent/spec.ts'
import type { SessionRef, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { noReport, readAll } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { system } from './agent-log.ts'

interface Log {
  readonly folder: string
  readonly source: TranscriptSource
  readonly write: (name: string, text: string | Uint8Array) => void
  readonly session: (id: string) => SessionRef
}

async function log(): Promise<Log> {
  const folder = temporaryFolder()
  const source = await agent.source(folder, system)
  return {
    folder,
    source,
    write: (name, text) => {
      fs.mkdirSync(dirname(join(folder, name)), { recursive: true })
      fs.writeFileSync(join(folder, name), text)
    },
    session: (id) => source.discover(noReport).find((one) => one.id === id) as SessionRef,
  }
}

const turn = (number: number) => ({
  role: number % 2 === 0 ? 'user' : 'assistant',
  content: `turn ${number}`,
  ts: Date.UTC(2026, 8, 1, 8, 0, number),
})
const turns = (count: number): object[] => Array.from({ length: count }, (_, at) => turn(at))
const document = (count: number): string =>
  JSON.stringify({ id: 'T-1', title: 'Fix tax', cwd: '/home/u/shop', messages: turns(count), meta: { a: [1] } })

describe('a session that is one JSON document', () => {
  it('is read with its times, title and project, as a list and as an object', async () => {
    const { source, write, session } = await log()
    write('a.json', document(2))
    write('b.json', JSON.stringify(turns(2), null, 2))
    const whole = await readAll(source, session('a'))
    expect(whole.records.map(({ role, text, at }) => [role, text, at])).toEqual([
      ['user', 'turn 0', '2026-09-01T08:00:00.000Z'],
      ['assistant', 'turn 1', '2026-09-01T08:00:01.000Z'],
    ])
    expect(whole.facts).toEqual({ title: 'Fix tax', project: '/home/u/shop' })
    expect((await readAll(source, session('b'))).texts).toEqual(['turn 0', 'turn 1'])
  })

  it('gives what is new when it is written anew with more in it, and nothing when it is not', async () => {
    const { source, write, session } = await log()
    write('a.json', document(3))
    const before = await readAll(source, session('a'))
    expect(await readAll(source, session('a'), before.cursor)).toMatchObject({ texts: [], restarted: false, cursor: before.cursor })
    write('a.json', document(5))
    expect(await readAll(source, session('a'), before.cursor)).toMatchObject({
      texts: ['turn 3', 'turn 4'],
      restarted: false,
      facts: before.facts,
    })
  })

  it.each<[string, object[]]>([
    ['shortened', turns(2)],
    ['changed at its start', [{ role: 'user', content: 'summary' }, ...turns(4).slice(1)]],
    ['emptied', []],
  ])('is read from its start, with the keys that it had, when it was %s', async (_, messages) => {
    const { source, write, session } = await log()
    write('a.json', document(4))
    const before = await readAll(source, session('a'))
    write('a.json', JSON.stringify({ messages }))
    const after = await readAll(source, session('a'), before.cursor)
    expect(after.restarted).toBe(true)
    const keys = new Map(before.records.map(({ text, key }) => [text, key]))
    expect(after.records).toHaveLength(messages.length)
    for (const { text, key } of after.records) if (keys.has(text)) expect(key).toBe(keys.get(text))
  })

  it('gives what is whole while it is being written, and says what is no JSON', async () => {
    const { source, write, session } = await log()
    write('a.json', document(4).slice(0, -60))
    const cut = await readAll(source, session('a'))
    expect(cut).toMatchObject({ texts: ['turn 0', 'turn 1', 'turn 2'].slice(0, cut.texts.length), bad: 0 })
    expect(cut.texts.length).toBeGreaterThan(0)
    write('a.json', document(4))
    expect((await readAll(source, session('a'), cut.cursor)).texts).toEqual([0, 1, 2, 3].map((at) => `turn ${at}`).slice(cut.texts.length))
    write('b.json', 'not JSON')
    expect(await readAll(source, session('b'))).toMatchObject({ texts: [], bad: 1 })
    write('c.json', `[${JSON.stringify(turn(0))},{"bad":},${JSON.stringify(turn(1))}]`)
    expect(await readAll(source, session('c'))).toMatchObject({ texts: ['turn 0', 'turn 1'], bad: 1 })
  })

  it('is read as lines where it holds lines, and goes on as those do', async () => {
    const { folder, source, write, session } = await log()
    write(
      'a.json',
      turns(2)
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    )
    const before = await readAll(source, session('a'))
    expect(before).toMatchObject({ texts: ['turn 0', 'turn 1'], bad: 0 })
    fs.appendFileSync(join(folder, 'a.json'), `${JSON.stringify(turn(2))}\n`)
    expect(await readAll(source, session('a'), before.cursor)).toMatchObject({ texts: ['turn 2'], restarted: false, bad: 0 })
  })

  it('lets what goes wrong with the taker of its records be known', async () => {
    const { source, write, session } = await log()
    write('a.json', document(2))
    const full = new Error('no space left')
    await expect(source.read(session('a'), undefined, () => Promise.reject(full))).rejects.toBe(full)
    const stop = AbortSignal.abort(new Error('stop'))
    await expect(source.read(session('a'), undefined, () => {}, stop)).rejects.toThrow('stop')
  })

  it('keeps the words beside a picture of 20 MB', async () => {
    const { source, write, session } = await log()
    const picture = { type: 'image', source: { type: 'base64', data: 'A'.repeat(20_000_000) } }
    write('a.json', JSON.stringify([turn(0), { role: 'user', content: [picture, { type: 'text', text: 'see this' }] }, turn(2)]))
    expect(await readAll(source, session('a'))).toMatchObject({ texts: ['turn 0', '[image]\nsee this', 'turn 2'], bad: 0 })
  })

  it('starts anew from a cursor that is not one of its own', async () => {
    const { source, write, session } = await log()
    write('a.json', document(2))
    for (const cursor of [
      {},
      { elements: -1, hash: '' },
      { elements: 1e9, hash: 'x' },
      { elements: 1, hash: 7 },
      { offset: 1, head: '', tail: '' },
    ])
      expect(await readAll(source, session('a'), cursor)).toMatchObject({ texts: ['turn 0', 'turn 1'], restarted: true })
  })

  it('gives its elements whatever the bytes of a read', () => {
    const message = fc.dictionary(fc.string(), fc.jsonValue())
    const inObject = fc.tuple(fc.dictionary(fc.string({ maxLength: 5 }), fc.jsonValue()), fc.array(message))
    fc.assert(
      fc.property(fc.oneof(fc.array(message), inObject), fc.integer({ min: 1, max: 40 }), fc.boolean(), (made, chunk, pretty) => {
        const [fields, messages] =
          made.length === 2 && Array.isArray(made[1]) ? (made as [object, object[]]) : [undefined, made as object[]]
        const value = fields === undefined ? messages : { ...withoutLists(fields), messages }
        const bytes = Buffer.from(JSON.stringify(value, null, pretty ? 2 : undefined))
        const source = { readAt: (at: number, into: Uint8Array) => bytes.copy(into, 0, Math.min(at, bytes.length)), close() {} }
        const found = [...elements(source, 1 << 20, chunk)]
        expect(found.filter(({ field }) => field === undefined).map((one) => JSON.parse(String(one.bytes)))).toEqual(
          JSON.parse(JSON.stringify(messages)),
        )
        const texts = Object.entries(fields === undefined ? {} : withoutLists(fields)).filter(([, field]) => typeof field === 'string')
        expect(
          Object.fromEntries(found.flatMap(({ field, bytes: one }) => (field === undefined ? [] : [[field, JSON.parse(String(one))]]))),
        ).toEqual(Object.fromEntries(texts))
      }),
    )
  })
})

const LISTS = ['messages', 'history', 'conversation', 'turns', 'entries', '__proto__']
const withoutLists = (fields: object): object => Object.fromEntries(Object.entries(fields).filter(([name]) => !LISTS.includes(name)))

describe('the sessions of an agent', () => {
  it('are named by their path, those of subagents owned by the session that spawned them', async () => {
    const { source, write } = await log()
    for (const name of ['a.jsonl', 'shop/b.ndjson', 'shop/c/events.jsonl', 'shop/d.jsonl', 'shop/d/subagents/e.jsonl']) write(name, '')
    expect(
      source
        .discover(noReport)
        .map(({ id, owner }) => [id, owner])
        .sort(),
    ).toEqual([
      ['a', 'a'],
      ['shop/b', 'shop/b'],
      ['shop/c/events', 'shop/c/events'],
      ['shop/d', 'shop/d'],
      ['shop/d/subagents/e', 'shop/d'],
    ])
  })

  it('are one where the agent went over from a document to lines: the one written last', async () => {
    const { folder, source, write } = await log()
    write('a.json', '[]')
    write('a.jsonl', '')
    fs.utimesSync(join(folder, 'a.json'), new Date(1_788_000_000_000), new Date(1_788_000_000_000))
    expect(source.discover(noReport).map(({ path }) => path)).toEqual([join(folder, 'a.jsonl')])
  })

  it.skipIf(process.platform === 'win32')('are not hidden by a second name beside them, and only by one from elsewhere', async () => {
    const { folder, source, write } = await log()
    write('a.jsonl', '')
    fs.symlinkSync('a.jsonl', join(folder, 'latest.jsonl'))
    fs.symlinkSync('loop.jsonl', join(folder, 'loop.jsonl'))
    fs.symlinkSync('/dev/zero', join(folder, 'zero.jsonl'))
    const reported: string[] = []
    expect(source.discover(({ path }) => reported.push(path)).map(({ id }) => id)).toEqual(['a'])
    expect(reported.sort()).toEqual([join(folder, 'loop.jsonl'), join(folder, 'zero.jsonl')])
  })

  it('are no settings, no keys, no packages and nothing behind links', async () => {
    const { folder, source, write } = await log()
    for (const name of ['settings.json', 's.settings.json', 'auth.json', 'oauth_creds.json', 'mcp-tokens.json', '.hidden.json', 'notes.md'])
      write(name, '[]')
    write('node_modules/x/a.jsonl', '')
    write('secrets/a.json', '[]')
    fs.symlinkSync(temporaryFolder(), join(folder, 'linked'))
    write('-home-u-auth-service/fix-the-token-cookie.jsonl', '')
    expect(source.discover(noReport).map(({ id }) => id)).toEqual(['-home-u-auth-service/fix-the-token-cookie'])
  })
})
