import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { opencode } from '../../src/hosts/opencode/spec.ts'
import type { SourceCursor } from '../../src/hosts/transcript-source.ts'
import { realSystem } from '../../src/util/system.ts'
import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { noReport, readAll } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { messageId, opencodeDatabase, opencodeLog, START, sessionId } from './opencode-log.ts'

hostContract(opencodeLog)
sqliteHostContract(opencodeLog)

const SESSION = sessionId(1)
const USER = { role: 'user' }
const AGENT = { role: 'assistant' }
const said = (text: string) => ({ type: 'text', text })

const system = (env: Record<string, string> = {}) => ({
  ...realSystem(),
  env,
  home: '/home/u',
  now: () => new Date('2026-10-01T00:00:00Z'),
})

async function log(name = 'opencode.db') {
  const root = temporaryFolder()
  const database = opencodeDatabase(join(root, name))
  onTestFinished(() => database.close())
  database.session(SESSION)
  const source = await opencode.source(root, system())
  return {
    ...database,
    root,
    source,
    refs: () => source.discover(noReport),
    async read(since?: SourceCursor, id = SESSION) {
      const ref = source.discover(noReport).find((found) => found.id === id)
      if (ref === undefined) throw new Error(`no session ${id}`)
      return await readAll(source, ref, since)
    },
  }
}

describe('what a part of opencode is', () => {
  it('leaves out what the program added to a prompt, reasoning, steps and summaries', async () => {
    const { message, read } = await log()
    message(SESSION, 1, { ...USER, summary: { diffs: [] } }, [
      said('a question'),
      { ...said('(the text of a file)'), synthetic: true },
      { ...said('shown only'), ignored: true },
      { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAAA' },
    ])
    message(SESSION, 2, AGENT, [{ type: 'step-start' }, { type: 'reasoning', text: 'hm' }, said('an answer'), { type: 'step-finish' }])
    message(SESSION, 3, USER, [{ type: 'compaction', auto: true }])
    message(SESSION, 4, { ...AGENT, summary: true, mode: 'compaction' }, [said('A summary of it all')])
    message(SESSION, 5, USER, [{ ...said('Continue if you have next steps'), synthetic: true }])
    expect((await read()).texts).toEqual(['a question', 'an answer'])
  })

  it.each([
    ['"why does it fail?"', 'why does it fail?'],
    ['"say \\"hello\\" twice"', 'say "hello" twice'],
    ['"one" and "two"', '"one" and "two"'],
    ['one word', 'one word'],
    ['"', '"'],
  ])('takes the quotes off that `run` puts around a prompt: %s', async (stored, expected) => {
    const { message, read } = await log()
    message(SESSION, 1, USER, [said(stored)])
    expect((await read()).texts).toEqual([expected])
  })

  it('gives a call and its result, with the error of one that failed and a word for a picture', async () => {
    const { message, read } = await log()
    const tool = (callID: string, state: object) => ({
      type: 'tool',
      tool: 'bash',
      callID,
      state: { input: { command: callID }, ...state },
    })
    message(SESSION, 2, AGENT, [
      tool('a', { status: 'completed', output: 'fine', attachments: [{ mime: 'image/png' }], time: { start: START, end: START + 1500 } }),
      tool('b', { status: 'error', error: 'not found' }),
      tool('c', { status: 'running' }),
    ])
    const { records } = await read()
    expect(records.map(({ text, at, tool }) => [text, at, tool?.part, tool?.failed])).toEqual([
      ['a', '2026-09-01T08:00:00.000Z', 'call', undefined],
      ['fine\n[image]', '2026-09-01T08:00:01.500Z', 'result', undefined],
      ['b', '2026-09-01T08:00:02.000Z', 'call', undefined],
      ['not found', '2026-09-01T08:00:02.000Z', 'result', true],
      ['c', '2026-09-01T08:00:02.000Z', 'call', undefined],
    ])
  })

  it('costs a part that cannot be read that part alone', async () => {
    const { database, message, read } = await log()
    message(SESSION, 2, AGENT, [said('before'), said('torn'), said('after')])
    database.exec(`update part set data = '{"type":"te' where id like '%_001'`)
    expect(await read()).toMatchObject({ texts: ['before', 'after'], bad: 1 })
  })
})

describe('an answer that is still coming in', () => {
  it('is left for the next read, which gives it whole', async () => {
    const { database, message, read } = await log()
    message(SESSION, 1, USER, [said('a question')])
    message(SESSION, 2, { ...AGENT, time: { created: START } }, [said('half an')])
    const first = await read()
    expect(first.texts).toEqual(['a question'])
    const answer = messageId(SESSION, 2)
    database.exec(`update part set data = json_set(data, '$.text', 'half an answer, and the rest') where message_id = '${answer}'`)
    database.exec(`update message set data = json_set(data, '$.time.completed', ${START}) where id = '${answer}'`)
    expect(await read(first.cursor)).toMatchObject({ texts: ['half an answer, and the rest'], restarted: false })
  })

  it('that was broken off is read once somebody goes on, or where the program noted why', async () => {
    const { message, read } = await log()
    message(SESSION, 1, USER, [said('a question')])
    message(SESSION, 2, { ...AGENT, time: { created: START } }, [said('half an')])
    const { cursor } = await read()
    message(SESSION, 3, USER, [said('go on')])
    message(SESSION, 4, { ...AGENT, time: { created: START }, error: { name: 'MessageAbortedError' } }, [said('stopped')])
    expect((await read(cursor)).texts).toEqual(['half an', 'go on', 'stopped'])
  })

  it('has its prompt written in pieces: those that come later are not lost', async () => {
    const { database, message, read } = await log()
    message(SESSION, 1, USER, [])
    const none = await read()
    expect(none.texts).toEqual([])
    const add = (number: number, text: string) => {
      const id = messageId(SESSION, 1)
      database
        .prepare('insert into part values (?, ?, ?, ?, ?, ?)')
        .run(`prt_${id.slice(4)}_00${number}`, id, SESSION, START, START, JSON.stringify(said(text)))
    }
    add(0, 'one')
    const one = await read(none.cursor)
    expect(one.texts).toEqual(['one'])
    add(1, 'two')
    expect(await read(one.cursor)).toMatchObject({ texts: ['two'], restarted: false })
  })
})

describe('what the user took back', () => {
  it('is hidden from its first message on, and comes when it is given again', async () => {
    const { database, message, read } = await log()
    for (const number of [1, 3, 5]) message(SESSION, number, USER, [said(`question ${number}`)])
    const revert = (value: string | null) => database.prepare('update session set revert = ?').run(value)
    revert(JSON.stringify({ messageID: messageId(SESSION, 3) }))
    const hidden = await read()
    expect(hidden.texts).toEqual(['question 1'])
    revert('{broken')
    expect((await read()).texts).toHaveLength(3)
    revert(null)
    expect(await read(hidden.cursor)).toMatchObject({ texts: ['question 3', 'question 5'], restarted: false })
  })

  it('after it was read and deleted, leaves a session that is read anew with the keys it had', async () => {
    const { database, message, read } = await log()
    for (const number of [1, 3, 5]) message(SESSION, number, USER, [said(`question ${number}`)])
    const before = await read()
    database.exec(`delete from message where id >= '${messageId(SESSION, 3)}'`)
    message(SESSION, 7, USER, [said('another way')])
    const after = await read(before.cursor)
    expect(after).toMatchObject({ texts: ['question 1', 'another way'], restarted: true })
    expect(after.records[0]?.key).toBe(before.records[0]?.key)
  })
})

describe('opencode’s sessions', () => {
  it('of subagents belong to the one that spawned them, and give their tools alone', async () => {
    const { session, message, refs, read } = await log()
    const [child, grandchild] = [sessionId(2), sessionId(3)]
    session(child, { parent_id: SESSION })
    session(grandchild, { parent_id: child })
    const tool = { type: 'tool', tool: 'read', callID: 'c', state: { status: 'completed', input: {}, output: 'the file' } }
    for (const id of [SESSION, child, grandchild]) message(id, 1, AGENT, [said('I look.'), tool])
    expect(refs().map(({ id, owner }) => [id, owner])).toEqual([
      [SESSION, SESSION],
      [`${SESSION}/${child}`, SESSION],
      [`${SESSION}/${grandchild}`, SESSION],
    ])
    expect((await read(undefined, `${SESSION}/${child}`)).texts).toEqual(['{}', 'the file'])
  })

  it('forked leave out what they took over, as long as the first one is there', async () => {
    const { database, session, message, read } = await log()
    const fork = sessionId(2)
    session(fork, { time_created: START + 60_000 })
    for (const id of [SESSION, fork]) message(id, 1, USER, [said('a question')])
    message(fork, 70, USER, [said('another way')])
    expect((await read(undefined, fork)).texts).toEqual(['another way'])
    database.exec(`delete from message where session_id = '${SESSION}'`)
    expect((await read(undefined, fork)).texts).toEqual(['a question', 'another way'])
  })

  it('change when an answer is finished, though their own time does not', async () => {
    const { database, message, refs } = await log()
    message(SESSION, 2, { ...AGENT, time: { created: START } }, [said('half')])
    const [before] = refs()
    database.exec(`update message set time_updated = ${START + 9_000}`)
    expect(refs()[0]).toEqual({ ...before, modified: START + 9_000 })
  })

  it('that only a newer version’s tables hold are named, not passed over in silence', async () => {
    const { database, message, root, source } = await log()
    message(SESSION, 1, USER, [said('x')])
    const problems: string[] = []
    const look = () => source.discover(({ path, reason }) => void problems.push(`${path}: ${reason}`)).length
    database.exec(
      `create table session_message (id text primary key, session_id text, data text); insert into session_message values ('a', '${SESSION}', '{}')`,
    )
    expect([look(), problems]).toEqual([1, []])
    database.exec(`insert into session_message values ('b', 'ses_new', '{}')`)
    expect([look(), problems]).toEqual([
      1,
      [expect.stringContaining(`${join(root, 'opencode.db')}: sessions in the tables of a newer version of opencode are not read yet: 1`)],
    ])
  })

  it('have a title once the model gave one, and their folder', async () => {
    const { database, message, read } = await log()
    message(SESSION, 1, USER, [said('a question')])
    expect((await read()).facts).toEqual({ title: 'Tax', project: '/home/u/shop' })
    database.exec(`update session set title = 'New session - 2026-09-01T08:00:00.000Z'`)
    expect((await read()).facts).toEqual({ project: '/home/u/shop' })
  })

  it('come to an end though the times of many messages are none', async () => {
    const { database, message, read } = await log()
    for (let number = 1; number <= 250; number++) message(SESSION, number, USER, [said(`text ${number}`)])
    for (const value of ["'soon'", '9007199254740993', 'null']) {
      database.exec(`update or ignore message set time_created = ${value} where id > '${messageId(SESSION, 1)}'`)
      expect((await read()).texts.slice(0, 1), value).toEqual(['text 1'])
    }
  })

  it('come in order and in full over many messages, however long ago they began', async () => {
    const { database, message, read } = await log()
    database.exec('begin')
    for (let number = 1; number <= 5_000; number++) message(SESSION, number, number % 2 ? USER : AGENT, [said(`text ${number}`)])
    database.exec('commit')
    expect((await read()).texts).toEqual(Array.from({ length: 5_000 }, (_, i) => `text ${i + 1}`))
  })
})

describe('where opencode keeps its sessions', () => {
  it('follows XDG_DATA_HOME and OPENCODE_DB', () => {
    const data = join('/home/u', '.local', 'share', 'opencode')
    expect(opencode.sessionDir(system())).toBe(data)
    expect(opencode.sessionDir(system({ XDG_DATA_HOME: '/data' }))).toBe(join('/data', 'opencode'))
    expect(opencode.sessionDir(system({ OPENCODE_DB: '/x/my.db' }))).toBe('/x/my.db')
    expect(opencode.sessionDir(system({ OPENCODE_DB: 'my.db' }))).toBe(join(data, 'my.db'))
    expect(opencode.sessionDir(system({ OPENCODE_DB: ':memory:' }))).toBe(data)
  })

  it('reads the database of each channel, and one that is named itself', async () => {
    const { root, message, refs } = await log('opencode-dev.db')
    message(SESSION, 1, USER, [said('x')])
    fs.writeFileSync(join(root, 'opencode.db.bak'), 'no database')
    expect(refs().map(({ path }) => path)).toEqual([join(root, 'opencode-dev.db')])
    const named = await opencode.source(join(root, 'opencode-dev.db'), system())
    expect(named.exists()).toBe(true)
    expect(named.discover(noReport).map(({ id }) => id)).toEqual([SESSION])
  })
})
