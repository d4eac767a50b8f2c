import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import type { SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll, transcriptSourceContract } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { unprivileged } from '../helpers/unprivileged.ts'
import { conversationId, query, said, system, toolUse } from './cursor-lines.ts'
import { cursorLines, cursorLog, SLUG } from './cursor-log.ts'

hostContract(cursorLog)
transcriptSourceContract(cursorLines)

const session = conversationId(1)

interface Log {
  /** Cursor's folder; `projects` in it holds the transcripts. */
  readonly data: string
  readonly source: TranscriptSource
  /** Writes a file below `projects`. */
  write(path: string, text: string | readonly string[], modified?: Date): string
  ids(): string[][]
  read(id: string, since?: SourceCursor): ReturnType<typeof readAll>
}

async function log(): Promise<Log> {
  const data = temporaryFolder()
  const projects = join(data, 'projects')
  fs.mkdirSync(projects)
  const source = await cursor.source(projects, system)
  return {
    data,
    source,
    write(path, text, modified) {
      const target = join(projects, path)
      fs.mkdirSync(dirname(target), { recursive: true })
      fs.writeFileSync(target, typeof text === 'string' ? text : text.map((line) => `${line}\n`).join(''))
      if (modified !== undefined) fs.utimesSync(target, modified, modified)
      return target
    },
    ids: () =>
      source
        .discover(noReport)
        .map(({ id, owner }) => [id, owner])
        .sort(),
    async read(id, since) {
      const found = source.discover(noReport).find((known) => known.id === id)
      if (found === undefined) throw new Error('not discovered')
      return await readAll(source, found, since)
    },
  }
}

const linesOf = (id: string): string => `${SLUG}/agent-transcripts/${id}/${id}.jsonl`

describe('Cursor: what a line of a transcript is', () => {
  it('takes what a person typed, what the agent said, and both before the tools that stand with it', async () => {
    const l = await log()
    l.write(linesOf(session), [
      query('why does checkout fail?', '<timestamp>Tuesday, Sep 1, 2026, 8:00 AM (UTC+0)</timestamp>\n<user_info>OS: linux</user_info>\n'),
      said('assistant', '[REDACTED]\n\nThe tax rate is read too early.', toolUse('Read', { path: '/home/u/shop/tax.ts' })),
      said('assistant', toolUse('Shell', { command: 'npm test' }), toolUse('Shell', { command: 'npm run lint' })),
      said('assistant', '[REDACTED]'),
      said('user', { type: 'image', data: 'AAAA' }),
      said('user', { type: 'text', text: '<user_query>\nlike here\n</user_query>' }, { type: 'image', data: 'AAAA' }),
      JSON.stringify({ type: 'turn_ended', status: 'error', error: 'aborted' }),
    ])
    const { records, bad } = await l.read(session)
    expect(records.map(({ kind, role, text, tool, at }) => [kind, role, text, tool?.name, at])).toEqual([
      ['message', 'user', 'why does checkout fail?', undefined, '2026-09-01T08:00:00.000Z'],
      ['message', 'assistant', 'The tax rate is read too early.', undefined, undefined],
      ['tool', 'tool', '{"path":"/home/u/shop/tax.ts"}', 'Read', undefined],
      ['tool', 'tool', 'npm test', 'Shell', undefined],
      ['tool', 'tool', 'npm run lint', 'Shell', undefined],
      ['message', 'user', 'like here\n[image]', undefined, undefined],
    ])
    expect(bad).toBe(0)
  })

  it('reads results of tools where a version writes them', async () => {
    const l = await log()
    const result = { type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: '1 failed' }], is_error: true }
    l.write(linesOf(session), [query('test'), said('user', result)])
    const { records } = await l.read(session)
    expect(records.at(-1)).toMatchObject({ kind: 'tool', text: '1 failed', tool: { part: 'result', call: 't1', failed: true } })
  })

  it('tells a second yes from the first, read at once or bit by bit, and gives each the same key', async () => {
    const l = await log()
    const lines = [query('yes'), said('assistant', 'Done.'), query('yes'), said('assistant', 'Done.'), query('yes')]
    const path = l.write(linesOf(session), lines)
    const whole = (await l.read(session)).records
    expect(whole.map(({ text }) => text)).toEqual(['yes', 'Done.', 'yes', 'Done.', 'yes'])
    expect(new Set(whole.map(({ key }) => key)).size).toBe(5)

    fs.writeFileSync(path, '')
    let cursorSoFar: SourceCursor | undefined
    const grown: unknown[] = []
    for (const line of lines) {
      fs.appendFileSync(path, `${line}\n`)
      const read = await l.read(session, cursorSoFar)
      grown.push(...read.records)
      cursorSoFar = JSON.parse(JSON.stringify(read.cursor)) as SourceCursor
    }
    expect(grown).toEqual(whole)
  })

  it('keeps the keys of what is left of a transcript that lost its beginning', async () => {
    const l = await log()
    const lines = Array.from({ length: 8 }, (_, i) => (i % 2 === 0 ? query(`question ${i}`) : said('assistant', `answer ${i}`)))
    l.write(linesOf(session), lines)
    const before = new Map((await l.read(session)).records.map(({ text, key }) => [text, key]))
    l.write(linesOf(session), lines.slice(3))
    for (const { text, key } of (await l.read(session)).records) expect(key).toBe(before.get(text))
  })

  it('keeps what it remembers of a long transcript small', async () => {
    const l = await log()
    l.write(
      linesOf(session),
      Array.from({ length: 5_000 }, (_, i) => query(`question ${i}`)),
    )
    const { cursor: made, records } = await l.read(session)
    expect(records).toHaveLength(5_000)
    expect(JSON.stringify(made).length).toBeLessThan(20_000)
  })

  it('takes of a subagent the tools, under the session that started it', async () => {
    const l = await log()
    l.write(linesOf(session), [query('look around')])
    const lines = [query('a task that an agent wrote'), said('assistant', 'a report', toolUse('Shell', { command: 'ls' }))]
    l.write(`${SLUG}/agent-transcripts/${session}/subagents/${conversationId(2)}.jsonl`, lines)
    expect(l.ids()).toEqual([
      [session, session],
      [`${session}/${conversationId(2)}`, session],
    ])
    expect((await l.read(`${session}/${conversationId(2)}`)).texts).toEqual(['ls'])
  })
})

describe('Cursor: where transcripts lie', () => {
  it('finds those of a window without a folder, those without a folder of their own, and plain ones', async () => {
    const l = await log()
    const [one, two, three] = [1, 2, 3].map(conversationId) as [string, string, string]
    l.write(`1788249600/agent-transcripts/${one}/${one}.jsonl`, [query('one')])
    l.write(`${SLUG}/agent-transcripts/${two}.jsonl`, [query('two')])
    l.write(`${SLUG}/agent-transcripts/${three}.txt`, 'user:\n<user_query>\nthree\n</user_query>\n')
    l.write(`${SLUG}/terminals/1.txt`, 'user:\nnot this\n')
    l.write(`${SLUG}/agent-transcripts/notes.md`, 'not this')
    expect(l.ids()).toEqual([one, two, three].map((id) => [id, id]))
    expect((await l.read(one)).texts).toEqual(['one'])
    expect((await l.read(two)).texts).toEqual(['two'])
    expect((await l.read(three)).texts).toEqual(['three'])
  })

  it('takes of one session under two projects the transcript that was written last, and lines before plain text', async () => {
    const l = await log()
    const [older, newer] = [new Date('2026-09-01T08:00:00Z'), new Date('2026-09-02T08:00:00Z')]
    l.write(linesOf(session), [query('old')], older)
    const moved = l.write(`home-u-moved/agent-transcripts/${session}/${session}.jsonl`, [query('old'), query('new')], newer)
    l.write(`${SLUG}/agent-transcripts/${session}.txt`, 'user:\nplain\n', new Date('2026-09-03T08:00:00Z'))
    expect(l.source.discover(noReport).map(({ path }) => path)).toEqual([moved])
  })

  it('can be given the folder of one project, or its transcripts', async () => {
    const l = await log()
    l.write(linesOf(session), [query('hi')])
    for (const folder of [join(l.data, 'projects', SLUG), join(l.data, 'projects', SLUG, 'agent-transcripts')]) {
      const source = await cursor.source(folder, system)
      expect(
        source.discover(noReport).map(({ id }) => id),
        folder,
      ).toEqual([session])
    }
  })

  it('is looked for where the user moved it', () => {
    const at = (env: Record<string, string>) => cursor.sessionDir({ ...system, env })
    expect(at({})).toBe(join('/home/u', '.cursor', 'projects'))
    expect(at({ CURSOR_CONFIG_DIR: '/cfg' })).toBe(join('/cfg', 'projects'))
    expect(at({ CURSOR_CONFIG_DIR: '/cfg', CURSOR_DATA_DIR: '/data' })).toBe(join('/data', 'projects'))
    expect(at({ CURSOR_CONFIG_DIR: '' })).toBe(join('/home/u', '.cursor', 'projects'))
  })
})

describe('Cursor: the project of a transcript', () => {
  it('is the folder that was trusted', async () => {
    const l = await log()
    l.write(linesOf(session), [query('hi')])
    expect((await l.read(session)).facts).toEqual({})
    l.write(`${SLUG}/.workspace-trusted`, JSON.stringify({ trustedAt: '2026-09-01T08:00:00Z', workspacePath: '/home/u/shop' }))
    expect((await l.read(session)).facts).toEqual({ project: '/home/u/shop' })
    l.write(`${SLUG}/.workspace-trusted`, '{"workspacePath":')
    expect((await l.read(session)).facts).toEqual({})
  })

  it('is what the agent of the command line noted of the chat, with its title', async () => {
    const l = await log()
    l.write(linesOf(session), [query('hi')])
    l.write(`../chats/0123456789abcdef/${session}/meta.json`, JSON.stringify({ schemaVersion: 1, cwd: '/home/u/shop', title: ' Fix tax ' }))
    expect((await l.read(session)).facts).toEqual({ project: '/home/u/shop', title: 'Fix tax' })
  })
})

describe('Cursor: what lies beside a transcript', () => {
  it.skipIf(process.platform === 'win32')('makes it unreadable in no state, and leaves out what cannot be looked at', async () => {
    const l = await log()
    l.write(linesOf(session), [query('hi')])
    const meta = l.write(`../chats/w1/${session}/meta.json`, JSON.stringify({ title: 'Fix tax' }))
    const closed = join(l.data, 'chats', 'w1')
    fs.chmodSync(closed, 0)
    await unprivileged(l.data, async () => expect(await l.read(session)).toMatchObject({ texts: ['hi'], facts: {} }))
    fs.chmodSync(closed, 0o755)
    expect((await l.read(session)).facts).toEqual({ title: 'Fix tax' })
    for (const folder of [dirname(meta), closed]) {
      fs.rmSync(folder, { recursive: true })
      fs.symlinkSync(folder, folder)
      expect(await l.read(session)).toMatchObject({ texts: ['hi'], facts: {} })
      fs.rmSync(folder)
      fs.mkdirSync(folder)
    }
  })

  it('is all that is looked at: the disk is not searched for a folder of the project’s name', async () => {
    const l = await log()
    const project = join(l.data, 'shop')
    fs.mkdirSync(project)
    const slug = project.replace(/[^a-z0-9]+/gi, '-').replace(/^-/, '')
    l.write(`${slug}/agent-transcripts/${session}/${session}.jsonl`, [query('hi')])
    expect((await l.read(session)).facts).toEqual({})
  })
})

describe('Cursor: plain transcripts of older versions', () => {
  const path = `${SLUG}/agent-transcripts/${session}.txt`
  const text = [
    'user:',
    '<user_query>',
    'why does checkout fail?',
    'assistant:',
    '</user_query>',
    '',
    'assistant:',
    '[Thinking] The tax, perhaps.',
    'Or not.',
    '',
    'Let me run the tests.',
    '[Tool call] Shell',
    '  command: npm test',
    '  description: Run',
    '',
    '[Tool result] Shell',
    'TypeError: tax is undefined',
    '',
    'assistant:',
    'The rate is read too early.',
  ].join('\n')

  it('are read by their marks', async () => {
    const l = await log()
    l.write(path, text)
    const { records } = await l.read(session)
    expect(records.map(({ kind, role, text, tool }) => [kind, role, text, tool?.part, tool?.name])).toEqual([
      ['message', 'user', 'why does checkout fail?\nassistant:', undefined, undefined],
      ['message', 'assistant', 'Let me run the tests.', undefined, undefined],
      ['tool', 'tool', 'npm test', 'call', 'Shell'],
      ['tool', 'tool', 'TypeError: tax is undefined', 'result', 'Shell'],
      ['message', 'assistant', 'The rate is read too early.', undefined, undefined],
    ])
  })

  it('give nothing where nothing changed, and the same keys where something did', async () => {
    const l = await log()
    l.write(path, text)
    const before = await l.read(session)
    expect(await l.read(session, before.cursor)).toMatchObject({ texts: [], restarted: false, cursor: before.cursor })
    l.write(path, `${text}\n\nuser:\nthanks\n`)
    const after = await l.read(session, before.cursor)
    expect(after.restarted).toBe(true)
    expect(after.records.slice(0, -1)).toEqual(before.records)
    expect(after.texts.at(-1)).toBe('thanks')
  })

  it('may be no transcript at all', async () => {
    const l = await log()
    l.write(path, 'x'.repeat(3_000_000))
    expect((await l.read(session)).records).toEqual([])
    l.write(path, '')
    expect((await l.read(session)).records).toEqual([])
  })
})
