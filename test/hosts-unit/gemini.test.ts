import { createHash } from 'node:crypto'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gemini } from '../../src/hosts/gemini/spec.ts'
import type { SessionRecord, SourceCursor } from '../../src/hosts/transcript-source.ts'
import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { type LineLog, lineLog } from '../helpers/line-log.ts'
import {
  answer,
  geminiLines,
  geminiLog,
  header,
  message,
  PROJECT,
  response,
  sessionId,
  system,
  time,
  toolCall,
  user,
} from './gemini-log.ts'

transcriptSourceContract(geminiLines)
hostContract(geminiLog)

const session = sessionId(1)
const set = (fields: object): string => JSON.stringify({ $set: fields })
const rewind = (id: string): string => JSON.stringify({ $rewindTo: id })
const done = (id: string, output: string): object => ({ status: 'success', result: [response(id, output)] })

describe('Gemini CLI: what a message is', () => {
  const texts = async (...lines: string[]): Promise<readonly string[]> =>
    (await (await lineLog(geminiLines)).read([header(session), ...lines])).texts

  it('is what a person typed: not what a hook injected before it, and without the files that it names', async () => {
    const injected = '<hook_context>remember &lt;b&gt;this&lt;/b&gt;</hook_context>'
    const typed = { displayContent: [{ text: `${injected}\n\nlook at @tax.ts` }] }
    expect(
      await texts(
        message('m1', 1, 'user', [{ text: `${injected}\n\nhow do we deploy?` }, { text: injected }]),
        message('m2', 2, 'user', [{ text: 'look at @tax.ts' }, { text: '--- tax.ts ---\nexport' }], typed),
        user('m3', 3, injected),
        user('m4', 4, 'what does <hook_context>x</hook_context> mean?'),
        user('m5', 5, '<hook_context> is never closed'),
      ),
    ).toEqual(['how do we deploy?', 'look at @tax.ts', 'what does <hook_context>x</hook_context> mean?', '<hook_context> is never closed'])
  })

  it.each([
    ['the place where the program runs', '<session_context>\nThis is a place.\n</session_context>'],
    ['the summary of a long session', '<state_snapshot>all that was said</state_snapshot>'],
    ['a command', '/memory add tabs'],
    ['a command of the user’s own', '/git:commit'],
    ['a question for help', '?'],
    ['the prompt with which the program goes on by itself', 'Please continue.'],
  ])('is not %s', async (_, text) => {
    expect(await texts(user('m1', 1, text), user('m2', 2, 'said'))).toEqual(['said'])
  })

  it('may begin with a path, and is a string in older versions', async () => {
    const prompts = [
      '/home/u/shop is gone',
      '/tmp is full, what can I delete?',
      '/etc holds a stale hosts file',
      '/deploy the shop',
      '? why',
    ]
    const asked = prompts.map((text, i) => message(`m${i}`, i, 'user', text))
    expect(await texts(...asked, message('m9', 9, 'gemini', [{ text: 'It is.' }]))).toEqual([...prompts, 'It is.'])
  })

  it('leaves out thoughts and notices, and puts [image] where a picture was', async () => {
    const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } }
    expect(
      await texts(
        message('m1', 1, 'user', [{ text: 'see' }, picture]),
        message('m2', 2, 'user', [picture]),
        message('m3', 3, 'gemini', [{ text: 'hm', thought: true }, { text: 'Seen.' }]),
        message('m4', 4, 'error', 'quota'),
        message('m5', 5, 'warning', [{ text: 'slow' }]),
      ),
    ).toEqual(['see\n[image]', 'Seen.'])
  })
})

describe('Gemini CLI: an answer that grows', () => {
  const untrusted = '<untrusted_context>\nOutput: ok\n</untrusted_context>'
  const growing = [
    answer('m2', 2, ''),
    answer('m2', 2, 'Running it.'),
    answer('m2', 2, 'Running it.', { toolCalls: [toolCall('t1', 3, 'npm test')] }),
    answer('m2', 2, 'Running it.', { toolCalls: [toolCall('t1', 3, 'npm test', done('t1', untrusted))] }),
    message('m3', 4, 'user', [response('t1', untrusted)]),
    answer('m4', 5, 'It passes.'),
  ]
  const lines = [header(session), user('m1', 1, 'run the tests'), ...growing]
  const expected = ['run the tests', 'Running it.', 'npm test', 'Output: ok', 'It passes.']

  it('is handed out once and complete, its calls and results with it', async () => {
    const { records } = await (await lineLog(geminiLines)).read(lines)
    expect(records.map(({ text }) => text)).toEqual(expected)
    expect(records.slice(2, 4).map(({ tool, at }) => ({ tool, at }))).toEqual([
      { tool: { part: 'call', name: 'run_shell_command', call: 't1' }, at: time(3) },
      { tool: { part: 'result', name: 'run_shell_command', call: 't1' }, at: time(3) },
    ])
  })

  it('takes the last version of its words where they came in pieces', async () => {
    const log = await lineLog(geminiLines)
    expect(
      (await log.read([header(session), answer('m1', 1, 'It'), answer('m1', 1, 'It is'), answer('m1', 1, 'It is fixed.')])).texts,
    ).toEqual(['It is fixed.'])
  })

  it('is handed out in parts, each once, wherever a read ends within it', async () => {
    const log = await lineLog(geminiLines)
    await fc.assert(
      fc.asyncProperty(fc.subarray(lines.map((_, i) => i).slice(1)), async (cuts) => {
        const records: SessionRecord[] = []
        let from = 0
        let cursor: SourceCursor | undefined
        for (const cut of [...cuts, lines.length]) {
          const part = lines.slice(from, cut)
          const read = await (cursor === undefined ? log.read(part) : log.readOn(part, cursor))
          records.push(...read.records)
          cursor = read.cursor
          from = cut
        }
        expect(records.map(({ text }) => text)).toEqual(expected)
      }),
      { numRuns: 60 },
    )
  })

  it('says that a call failed or was cancelled, and gives a call that never ended without a result', async () => {
    const calls = [
      toolCall('t1', 1, 'a', { status: 'error', result: [{ functionResponse: { id: 't1', name: 'x', response: { error: 'exit 1' } } }] }),
      toolCall('t2', 1, 'b', { status: 'cancelled' }),
      toolCall('t3', 1, 'c'),
    ]
    const { records } = await (await lineLog(geminiLines)).read([
      header(session),
      answer('m1', 1, '', { toolCalls: calls }),
      user('m2', 2, 'stop'),
    ])
    expect(records.map(({ text, tool }) => [text, tool?.part, tool?.failed])).toEqual([
      ['a', 'call', undefined],
      ['exit 1', 'result', true],
      ['b', 'call', undefined],
      ['', 'result', true],
      ['c', 'call', undefined],
      ['stop', undefined, undefined],
    ])
  })
})

describe('Gemini CLI: a session that is resumed, compacted or rewound', () => {
  const call = { functionCall: { id: 't1', name: 'run_shell_command', args: { command: 'ls' } } }
  const lines = [
    header(session),
    user('m1', 1, 'what is here?'),
    answer('m2', 2, 'Looking.', { toolCalls: [toolCall('t1', 2, 'ls', done('t1', 'tax.ts'))] }),
    message('m3', 3, 'user', [response('t1', 'tax.ts')]),
    answer('m4', 4, 'One file.'),
  ]
  /** As the program writes it when it resumes: the history again, in another shape and with other times. */
  const resumed = [
    header(session, { startTime: time(50) }),
    set({ sessionId: session }),
    set({
      messages: [
        JSON.parse(user('m1', 50, 'what is here?')),
        JSON.parse(message('m2', 50, 'gemini', [{ text: 'Looking.' }, call])),
        JSON.parse(message('m2_response', 50, 'user', [response('t1', 'tax.ts')])),
        JSON.parse(message('m3', 50, 'user', [response('t1', 'tax.ts')])),
        JSON.parse(answer('m4', 50, 'One file.')),
      ],
      lastUpdated: time(50),
    }),
    user('m5', 51, 'and now?'),
  ]
  const expected = ['what is here?', 'Looking.', 'ls', 'tax.ts', 'One file.', 'and now?']

  it('gives what its history repeats under the keys that it had', async () => {
    const log = await lineLog(geminiLines)
    const first = await log.read(lines)
    const second = await log.readOn(resumed, first.cursor)
    expect(second.texts.at(-1)).toBe('and now?')
    const known = new Set(first.records.map(({ key }) => key))
    expect(second.records.filter(({ key }) => !known.has(key)).map(({ text }) => text)).toEqual(['and now?'])
    expect((await log.read([...lines, ...resumed])).texts).toEqual(expected)
  })

  it('tells calls apart to which a model server gave the same id, and passes over results that the history cut', async () => {
    const asked = (id: string, number: number, command: string) =>
      answer(id, number, '', { toolCalls: [toolCall('call_0', number, command, done('call_0', `result of ${command}`))] })
    const cut = set({ messages: [JSON.parse(message('m3', 50, 'user', [response('call_0', '<tool_output_masked>\nresult …')]))] })
    const { texts } = await (await lineLog(geminiLines)).read([header(session), asked('m1', 1, 'ls'), asked('m2', 2, 'pwd'), cut])
    expect(texts).toEqual(['ls', 'result of ls', 'pwd', 'result of pwd'])
  })

  it('keeps what a compaction leaves out of the history, and does not take the summary for somebody’s words', async () => {
    const compacted = set({ messages: [JSON.parse(user('m9', 9, '<state_snapshot>a summary</state_snapshot>'))] })
    expect((await (await lineLog(geminiLines)).read([...lines, compacted, user('m10', 10, 'go on')])).texts).toEqual([
      ...expected.slice(0, -1),
      'go on',
    ])
  })

  it('does not give what was taken back before it was read', async () => {
    const log = await lineLog(geminiLines)
    const undone = [user('m5', 5, 'delete it'), answer('m6', 6, 'Deleted.'), rewind('m5'), user('m7', 7, 'keep it')]
    expect((await log.read([...lines, ...undone])).texts).toEqual([...expected.slice(0, -1), 'keep it'])
  })

  it('keeps what was read before it was taken back, and takes back what was not', async () => {
    const log = await lineLog(geminiLines)
    const { cursor } = await log.read([...lines, user('m5', 5, 'delete it')])
    expect((await log.readOn([answer('m6', 6, 'Deleted.'), rewind('m5'), user('m7', 7, 'keep it')], cursor)).texts).toEqual(['keep it'])
  })

  it('does not take back, with what follows a compaction, what was said before it', async () => {
    const log = await lineLog(geminiLines)
    const compacted = set({ messages: [JSON.parse(user('m9', 9, '<state_snapshot>a summary</state_snapshot>'))] })
    const undone = [compacted, user('m10', 10, 'delete it'), rewind('m9'), user('m11', 11, 'keep it')]
    expect((await log.read([...lines, ...undone])).texts).toEqual([...expected.slice(0, -1), 'keep it'])
  })

  it('counts a message that comes back after it was taken back', async () => {
    const log = await lineLog(geminiLines)
    expect((await log.read([header(session), user('m1', 1, 'a'), rewind('m1'), user('m1', 2, 'b'), user('m2', 3, 'c')])).texts).toEqual([
      'a',
      'c',
    ])
  })
})

describe('Gemini CLI: where sessions lie', () => {
  let log: LineLog
  const path = (name: string): string => join(PROJECT, 'chats', name)
  const document = (messages: readonly string[]): string[] => [
    JSON.stringify({
      sessionId: 'x',
      projectHash: 'y',
      startTime: time(0),
      lastUpdated: time(9),
      summary: 'Tax',
      messages: messages.map((line) => JSON.parse(line)),
    }),
  ]

  it('reads the one document that older versions wrote, and reads on when it grew', async () => {
    log = await lineLog(geminiLines)
    const messages = [message('m1', 1, 'user', 'hi'), answer('m2', 2, 'Hello.')]
    log.write(path(`${session}.json`), document(messages))
    const first = await log.readId(session)
    expect(first.texts).toEqual(['hi', 'Hello.'])
    expect(first.facts.title).toBe('Tax')
    log.write(path(`${session}.json`), document([...messages, message('m3', 3, 'user', 'more')]))
    expect(await log.readId(session, first.cursor)).toMatchObject({ texts: ['more'], restarted: false })
  })

  it('says that such a document cannot be read while it is half written', async () => {
    log = await lineLog(geminiLines)
    log.write(path(`${session}.json`), [document([])[0]?.slice(0, 40) ?? ''])
    await expect(log.readId(session)).rejects.toMatchObject({
      code: 'session_unreadable',
      message: expect.stringContaining(`${session}.json`) as string,
    })
  })

  it('reads a damaged document as far as it makes sense, or says that it cannot', async () => {
    log = await lineLog(geminiLines)
    const [whole = ''] = document([message('m1', 1, 'user', 'hi'), answer('m2', 2, 'Hello.', { toolCalls: [toolCall('t1', 2, 'ls')] })])
    const edits = fc.array(
      fc.record({ at: fc.nat(whole.length), insert: fc.string({ unit: 'binary', maxLength: 4 }), remove: fc.nat(30) }),
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(edits, async (changes) => {
        const damaged = changes.reduce((text, { at, insert, remove }) => text.slice(0, at) + insert + text.slice(at + remove), whole)
        log.write(path(`${session}.json`), [damaged])
        const outcome = await log.readId(session).then(
          ({ records }) => records.every(({ text, key }) => typeof text === 'string' && key !== ''),
          (error: { code?: unknown }) => error.code === 'session_unreadable',
        )
        expect(outcome).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  it('takes a session in both formats for one, and reads the newer', async () => {
    log = await lineLog(geminiLines)
    log.write(path(`${session}.jsonl`), [header(session), user('m1', 1, 'both')])
    log.write(path(`${session}.json`), document([message('m1', 1, 'user', 'both')]))
    expect(log.sessions().map(({ id, path: file }) => [id, file])).toEqual([[session, join(log.directory, path(`${session}.jsonl`))]])
  })

  it('takes nothing else in these folders for a session', async () => {
    log = await lineLog(geminiLines)
    log.write(path(`${session}.jsonl`), [header(session)])
    for (const name of [`${session}.jsonl.unreadable-1`, `${session}.jsonl.tmp-7`, 'checkpoint-a.json', 'notes.jsonl'])
      log.write(path(name), ['{}'])
    log.write(join(PROJECT, 'logs.json'), ['[]'])
    expect(log.sessions().map(({ id }) => id)).toEqual([session])
  })

  it('lists the sessions of subagents under the session that spawned them, and mines their tools, not their talk', async () => {
    log = await lineLog(geminiLines)
    const full = `${session.slice(-8)}-2222-4333-8444-555555555555`
    const agent = [
      header('agent-1', { kind: 'subagent', directories: ['/home/u/shop'] }),
      user('a1', 1, 'a task that an agent wrote'),
      answer('a2', 2, 'a report', { toolCalls: [toolCall('t1', 2, 'ls', done('t1', 'tax.ts'))] }),
    ]
    log.write(path(`${session}.jsonl`), [header(session)])
    log.write(path(join(full, 'agent-1.jsonl')), agent)
    log.write(path(join('99999999-0', 'agent-2.jsonl')), agent)
    expect(log.sessions().map(({ id, owner }) => [id, owner])).toEqual([
      [session, session],
      [`${full}/agent-1`, session],
      ['99999999-0/agent-2', '99999999-0'],
    ])
    expect((await log.readId(`${full}/agent-1`)).texts).toEqual(['ls', 'tax.ts'])
    log.remove(path(`${session}.jsonl`))
    expect(log.sessions().map(({ id }) => id)).toEqual([`${full}/agent-1`, '99999999-0/agent-2'])
  })

  it('learns the project from the note beside the sessions, the register of projects, or the session itself', async () => {
    log = await lineLog(geminiLines)
    const facts = async (): Promise<unknown> =>
      (await log.read([header(session, { directories: ['/home/u/listed'] }), set({ summary: ' Fix tax ' })])).facts
    expect(await facts()).toEqual({ title: 'Fix tax', project: '/home/u/listed' })
    log.write('../projects.json', ['{"projects":{"/home/u/other":"other","/home/u/registered":"shop"}}'])
    expect(await facts()).toEqual({ title: 'Fix tax', project: '/home/u/registered' })
    log.write(join(PROJECT, '.project_root'), ['/home/u/noted'])
    expect(await facts()).toEqual({ title: 'Fix tax', project: '/home/u/noted' })
    log.write('../projects.json', ['{"projects":'])
    log.remove(join(PROJECT, '.project_root'))
    expect(await facts()).toEqual({ title: 'Fix tax', project: '/home/u/listed' })
  })

  it('learns the project of a folder that an older version named by a hash', async () => {
    log = await lineLog(geminiLines)
    const hash = createHash('sha256').update('/home/u/shop').digest('hex')
    log.write('../projects.json', ['{"projects":{"/home/u/other":"other","/home/u/shop":"shop-1"}}'])
    log.write(join(hash, 'chats', `${session}.jsonl`), [header(session), user('m1', 1, 'hi')])
    expect((await log.readId(session)).facts).toEqual({ project: '/home/u/shop' })
  })

  it('looks where the user moved the program’s home', () => {
    const at = (env: Record<string, string>) => gemini.sessionDir({ ...system, home: '/home/u', env })
    expect(at({})).toBe(join('/home/u', '.gemini', 'tmp'))
    expect(at({ GEMINI_CLI_HOME: '/g' })).toBe(join('/g', '.gemini', 'tmp'))
  })
})
