import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { copilotSource } from '../../src/hosts/copilot/source.ts'
import { copilot } from '../../src/hosts/copilot/spec.ts'
import { parseWorkspace } from '../../src/hosts/copilot/workspace.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, transcriptSourceContract } from '../contract/transcript-source.ts'
import { lineLog } from '../helpers/line-log.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { assistant, copilotLines, copilotLog, event, flatLines, sessionId, start, system, time, user } from './copilot-log.ts'

transcriptSourceContract(flatLines)
hostContract(copilotLog)

const session = sessionId(1)

describe('Copilot CLI: what an event is', () => {
  const read = async (...events: string[]) => await (await lineLog(copilotLines)).read([start(session), ...events])

  it('takes of a prompt what the user sees, not what the model was sent', async () => {
    expect((await read(user(session, 1, ' how do we deploy? '))).texts).toEqual(['how do we deploy?'])
  })

  it.each([
    ['the autopilot sends', { isAutopilotContinuation: true }, {}],
    ['a skill sends', { source: 'skill-pdf' }, {}],
    ['another agent sends', { source: 'agent-7' }, {}],
    ['is the text of a command', { source: 'command-review' }, {}],
    ['is said within a subagent', {}, { agentId: 'a1' }],
  ])('leaves out what %s', async (_, data, fields) => {
    expect((await read(user(session, 1, 'not said', data, fields), user(session, 2, 'said'))).texts).toEqual(['said'])
  })

  it.each([{ source: 'user' }, { source: 'schedule-1' }])('keeps what the user or the user’s schedule sends (%j)', async (data) => {
    expect((await read(user(session, 1, 'said', data))).texts).toEqual(['said'])
  })

  it('leaves out what a subagent says to its caller, and keeps what it does', async () => {
    const inner = { parentToolCallId: 'task_1' }
    const call = { toolCallId: 'c1', toolName: 'bash', arguments: { command: 'ls' }, ...inner }
    const { texts } = await read(assistant(session, 1, 'a report', inner), event('tool.execution_start', session, 2, call))
    expect(texts).toEqual(['ls'])
  })

  it('takes a call where it was carried out, and not also where it was asked for', async () => {
    const request = { toolCallId: 'c1', name: 'view', arguments: { path: 'tax.ts' } }
    const { records } = await read(
      assistant(session, 1, '', { toolRequests: [request] }),
      event('tool.execution_start', session, 2, { toolCallId: 'c1', toolName: 'view', arguments: { path: 'tax.ts' } }),
      event('tool.execution_complete', session, 3, { toolCallId: 'c1', success: false, error: { message: 'no such file' } }),
    )
    expect(records.map(({ text, tool }) => ({ text, tool }))).toEqual([
      { text: '{"path":"tax.ts"}', tool: { part: 'call', name: 'view', call: 'c1' } },
      { text: 'no such file', tool: { part: 'result', call: 'c1', failed: true } },
    ])
  })

  it('passes over everything else, such as what hooks added and summaries of what was said', async () => {
    const others = ['hook.end', 'system.message', 'session.compaction_complete', 'assistant.reasoning', 'session.shutdown', 'something.new']
    const data = { content: 'not said', summaryContent: 'not said', result: { content: 'not said' } }
    expect((await read(...others.map((type, number) => event(type, session, number, data)), user(session, 9, 'said'))).texts).toEqual([
      'said',
    ])
  })

  it('takes events with their fields in the order of older versions', async () => {
    const { type, data, ...envelope } = JSON.parse(user(session, 1, 'said')) as Record<string, unknown>
    expect((await read(JSON.stringify({ ...envelope, type, data }))).texts).toEqual(['said'])
  })

  it('knows a helper that the program started for itself', async () => {
    const log = await lineLog(copilotLines)
    const { facts } = await log.read([start(session, { detachedFromSpawningParentSessionId: 'p' }), user(session, 1, 'consolidate')])
    expect(facts.internal).toBe(true)
  })

  it('gives nothing that was taken back before it was read, and keeps what was read before', async () => {
    const log = await lineLog(copilotLines)
    const rewind = (data: object): string => event('session.snapshot_rewind', session, 7, data)
    const events = [start(session), ...[1, 2, 3, 4].map((number) => user(session, number, `said ${number}`))]
    const all = [...events, rewind({ upToEventId: `${session}-3`, eventsRemoved: 2 }), user(session, 8, 'said 8')]
    expect((await log.read(all)).texts).toEqual(['said 1', 'said 2', 'said 8'])
    const some = [...events, rewind({ upToEventId: `${session}-2`, eventsRemoved: 2, eventIds: [`${session}-2`, `${session}-4`] })]
    expect((await log.read(some)).texts).toEqual(['said 1', 'said 3'])
    const { cursor } = await log.read(events.slice(0, 4))
    expect((await log.readOn(all.slice(4), cursor)).texts).toEqual(['said 8'])
  })
})

describe('Copilot CLI: what is known of a session', () => {
  const events = [start(session), user(session, 1, 'hi')]

  it('stands in its first event, in those that change it, and in the note beside it', async () => {
    const log = await lineLog(copilotLines)
    expect((await log.read(events)).facts).toEqual({ project: '/home/u/shop', branch: 'main' })
    log.write(join(session, 'workspace.yaml'), ['id: x', 'cwd: /home/u/other', 'branch: old', 'name: "Fix tax: again"'])
    expect((await log.read(events)).facts).toEqual({ project: '/home/u/shop', branch: 'main', title: 'Fix tax: again' })
    const changes = [
      event('session.title_changed', session, 2, { title: ' Checkout ' }),
      event('session.context_changed', session, 3, { cwd: '/home/u/shop', branch: 'fix-tax' }),
    ]
    expect((await log.read([...events, ...changes])).facts).toEqual({ project: '/home/u/shop', branch: 'fix-tax', title: 'Checkout' })
    expect((await log.read([user(session, 1, 'hi')])).facts).toEqual({ project: '/home/u/other', branch: 'old', title: 'Fix tax: again' })
  })

  it.each([
    ["name: it's plain # a remark", "it's plain"],
    ["name: 'it''s quoted'", "it's quoted"],
    ['name: "with \\"quotes\\" and \\u00e9"', 'with "quotes" and é'],
    ['name: null', undefined],
    ['name: |-\n  two\n  lines', undefined],
    ['name: "cut off', undefined],
    ['  name: nested', undefined],
    ['name:', undefined],
  ])('is read from %j as %j', (yaml, name) => {
    expect(parseWorkspace(`id: x\n${yaml}\n`).name).toBe(name)
  })

  it('is read back from any title that is written as JSON, and no note breaks the reading', () => {
    const visible = fc.string({ unit: 'binary', minLength: 1 }).filter((text) => text.trim() !== '')
    fc.assert(
      fc.property(visible, (name) => {
        expect(parseWorkspace(`name: ${JSON.stringify(name)}\n`).name).toBe(name)
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(parseWorkspace(`name: ${text}`)).toBeTypeOf('object')
      }),
    )
  })
})

describe('Copilot CLI: a fork', () => {
  const [fork, second] = [sessionId(0), sessionId(2)]
  /** As the program writes it: the other's events as they are, and the first with a time and a session of its own. */
  const began = (id: string, number: number): string => start(session, { sessionId: id }).replace(time(0), time(number))
  const said = [1, 2].map((number) => user(session, number, `said ${number}`))

  it('is mined without the events that it was copied from the session that it came from', async () => {
    const log = await lineLog(copilotLines)
    await log.read([start(session), ...said])
    expect((await log.read([began(fork, 10), ...said, user(fork, 11, 'said in the fork')], fork)).texts).toEqual(['said in the fork'])
    const lines = [began(second, 20), ...said, user(fork, 11, 'said in the fork'), user(second, 21, 'said in a fork of it')]
    expect((await log.read(lines, second)).texts).toEqual(['said in a fork of it'])
    expect((await log.readId(session)).texts).toEqual(['said 1', 'said 2'])
  })

  it('is mined with what no older session holds any more, under the keys that it had there', async () => {
    const log = await lineLog(copilotLines)
    const { records } = await log.read([start(session), ...said])
    await log.read([began(fork, 10), ...said, user(fork, 11, 'said in the fork')], fork)
    log.remove(join(session, 'events.jsonl'))
    const copied = await log.readId(fork)
    expect(copied.texts).toEqual(['said 1', 'said 2', 'said in the fork'])
    expect(copied.records.slice(0, 2).map(({ key }) => key)).toEqual(records.map(({ key }) => key))
    log.write(join(session, 'events.jsonl'), [start(session), ...said.slice(0, 1)])
    log.sessions()
    expect((await log.readId(fork)).texts).toEqual(['said 2', 'said in the fork'])
  })

  it('is not what a session is whose clock went back', async () => {
    const log = await lineLog(copilotLines)
    await log.read([start(session), user(session, 1, 'said')], sessionId(3))
    expect((await log.read([began(session, 9), user(session, 8, 'said before it began')])).texts).toEqual(['said before it began'])
  })
})

describe('Copilot CLI: where sessions lie', () => {
  it('takes what older versions left beside the folder, and of one session in two places what was written last', async () => {
    const open = async (folder: string) => copilotSource([folder, join(folder, '..', 'history-session-state')], system)
    const log = await lineLog({ ...copilotLines, open })
    log.write(join('..', 'history-session-state', `${session}.jsonl`), [start(session), user(session, 1, 'old')])
    log.write(join('..', 'history-session-state', sessionId(2), 'events.jsonl'), [start(session), user(session, 1, 'older')])
    expect(
      log
        .sessions()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([session, sessionId(2)])
    log.write(join(session, 'events.jsonl'), [start(session), user(session, 1, 'old'), user(session, 2, 'new')])
    expect(
      log
        .sessions()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([session, sessionId(2)])
    for (const name of ['plan.md', 'workspace.yaml', join('checkpoints', 'index.md')]) log.write(join(session, name), ['x'])
    expect(log.sessions()).toHaveLength(2)
  })

  it('looks where old ones were put away only beside the program’s own folder', async () => {
    const here = { ...system, env: { COPILOT_HOME: temporaryFolder() } }
    const own = copilot.sessionDir(here) ?? ''
    const old = join(here.env.COPILOT_HOME, 'history-session-state')
    mkdirSync(old)
    writeFileSync(join(old, `${session}.jsonl`), `${start(session)}\n`)
    expect((await copilot.source(own, here)).discover(noReport).map(({ id }) => id)).toEqual([session])
    expect((await copilot.source(own, system)).discover(noReport)).toEqual([])
  })

  it('knows a session by its notes until its events are written, and reads those from the beginning', async () => {
    const log = await lineLog(copilotLines)
    log.write(join(session, 'workspace.yaml'), [`id: ${session}`, 'cwd: /home/u/shop'])
    expect(log.sessions()).toMatchObject([{ id: session, owner: session, size: 0 }])
    const begun = await log.readId(session)
    expect(begun).toMatchObject({ records: [], bad: 0, facts: { project: '/home/u/shop' } })
    log.write(join(session, 'events.jsonl'), [start(session), user(session, 1, 'said')])
    expect(log.sessions()).toHaveLength(1)
    expect(await log.readId(session, begun.cursor)).toMatchObject({ texts: ['said'], restarted: false })
    log.remove(join(session, 'events.jsonl'))
    log.write(`${session}.jsonl`, [start(session), user(session, 1, 'said')])
    expect(log.sessions()[0]?.path).toMatch(/jsonl$/)
  })

  it('trusts the first event where a folder is not named by an id', async () => {
    const log = await lineLog(copilotLines)
    log.write(join('kept by hand', 'events.jsonl'), [start(session), user(session, 1, 'said')])
    log.write(join('empty', 'events.jsonl'), [])
    expect(
      log
        .sessions()
        .map(({ id }) => id)
        .sort(),
    ).toEqual([session, 'empty'])
  })

  it('looks where the user moved the program’s folder', () => {
    const at = (env: Record<string, string>) => copilot.sessionDir({ ...system, home: '/home/u', env })
    expect(at({})).toBe(join('/home/u', '.copilot', 'session-state'))
    expect(at({ COPILOT_HOME: '/c' })).toBe(join('/c', 'session-state'))
  })
})
