import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { qwen } from '../../src/hosts/qwen/spec.ts'
import { hostContract } from '../contract/host.ts'
import { transcriptSourceContract } from '../contract/transcript-source.ts'
import { lineLog } from '../helpers/line-log.ts'
import { assistant, call, line, qwenLines, qwenLog, result, SLUG, sessionId, system, user } from './qwen-log.ts'

transcriptSourceContract(qwenLines)
hostContract(qwenLog)

const session = sessionId(1)

describe('Qwen Code: what a record is', () => {
  const read = async (lines: readonly string[]) => await (await lineLog(qwenLines)).read(lines)
  const texts = async (...lines: string[]): Promise<readonly string[]> => (await read(lines)).texts

  it('takes of a prompt what was typed, not what a hook or the program added', async () => {
    const context = { text: '<qwen:user-prompt-submit-context>\nremember &lt;b&gt;\n</qwen:user-prompt-submit-context>' }
    const parts = [{ text: 'look at @tax.ts' }, { text: 'content of tax.ts' }, context]
    expect(
      await texts(
        user(session, 1, '', { message: { parts }, systemPayload: { displayText: 'look at @tax.ts', hookContext: 'remember' } }),
        user(session, 2, '', { message: { parts: [{ text: 'from an older version' }, context] } }),
        user(session, 3, '<system-reminder>a date</system-reminder>\nwhat is <system-reminder>?'),
        user(session, 4, '', { message: { parts: [context] } }),
      ),
    ).toEqual(['look at @tax.ts', 'from an older version', 'what is <system-reminder>?'])
  })

  it.each([
    ['was typed while the agent worked', { subtype: 'mid_turn_user_message', systemPayload: { displayText: 'said' } }],
    ['was said aloud', { subtype: 'realtime_message' }],
    [
      'the user’s schedule sent, and not its label',
      { subtype: 'cron', provenance: 'system', systemPayload: { displayText: 'Cron: said' } },
    ],
    ['the user’s schedule sent while the agent pursued a goal', { subtype: 'cron', provenance: 'goal_runtime' }],
    ['stands in a file of an older version, without a word of where it is from', { provenance: undefined }],
  ])('keeps what %s', async (_, fields) => {
    expect(await texts(user(session, 1, 'said', fields))).toEqual(['said'])
  })

  it.each([
    ['notifications', { subtype: 'notification', provenance: 'system' }],
    ['what drives the agent towards a goal', { subtype: 'goal_runtime', provenance: 'goal_runtime' }],
    ['what drives it without a subtype', { provenance: 'goal_runtime' }],
    ['subtypes of versions to come', { subtype: 'something_new' }],
  ])('leaves out %s', async (_, fields) => {
    expect(await texts(user(session, 1, 'not said', fields), user(session, 2, 'said'))).toEqual(['said'])
  })

  it('leaves out thoughts, commands and the history that a compaction repeats', async () => {
    expect(
      await texts(
        assistant(session, 1, [{ text: 'hm', thought: true }, { text: 'Reading.' }]),
        line('system', session, 2, { subtype: 'slash_command', systemPayload: { rawCommand: '/model' } }),
        line('system', session, 3, {
          subtype: 'chat_compression',
          systemPayload: { compressedHistory: [{ role: 'user', parts: [{ text: 'x' }] }] },
        }),
      ),
    ).toEqual(['Reading.'])
  })

  it('names the tool of a call, gives other input than a command as JSON, and says what failed', async () => {
    const other = { functionCall: { id: 'c2', name: 'read_file', args: { path: 'tax.ts' } } }
    const { records } = await read([
      assistant(session, 1, [{ text: 'Both at once.' }, call(1, 'npm test'), other]),
      result(session, 1, 'Exit Code: 1', { toolCallResult: { callId: 'call_1', status: 'error' } }),
      line('tool_result', session, 3, {
        message: { parts: [{ functionResponse: { id: 'c2', name: 'read_file', response: { error: 'gone' } } }] },
      }),
    ])
    expect(records.map(({ text, tool }) => ({ text, tool }))).toEqual([
      { text: 'Both at once.', tool: undefined },
      { text: 'npm test', tool: { part: 'call', name: 'run_shell_command', call: 'call_1' } },
      { text: '{"path":"tax.ts"}', tool: { part: 'call', name: 'read_file', call: 'c2' } },
      { text: 'Exit Code: 1', tool: { part: 'result', name: 'run_shell_command', call: 'call_1', failed: true } },
      { text: 'gone', tool: { part: 'result', name: 'read_file', call: 'c2', failed: true } },
    ])
    expect(new Set(records.map(({ key }) => key)).size).toBe(5)
  })

  it('learns project, branch and title from the records, a person’s title before the program’s', async () => {
    const title = (number: number, customTitle: string, titleSource: string): string =>
      line('system', session, number, { subtype: 'custom_title', gitBranch: undefined, systemPayload: { customTitle, titleSource } })
    const opening = [user(session, 1, 'hi', { gitBranch: 'HEAD' }), user(session, 2, 'there', { cwd: '/elsewhere', gitBranch: 'fix-tax' })]
    expect((await read([...opening, title(3, 'Auto', 'auto')])).facts).toEqual({
      project: '/home/u/shop',
      branch: 'fix-tax',
      title: 'Auto',
    })
    const named = [title(3, 'Auto', 'auto'), title(4, ' Checkout ', 'manual'), title(5, 'Auto again', 'auto')]
    expect((await read([...opening, ...named])).facts.title).toBe('Checkout')
  })
})

describe('Qwen Code: a session that is rewound or forked', () => {
  const rewind = (number: number, parentUuid: string | null): string =>
    line('system', session, number, { subtype: 'rewind', parentUuid, systemPayload: {} })
  const asked = user(session, 1, 'asked')
  const answered = assistant(session, 2, [{ text: 'answered' }])

  it('is mined without what was taken back before it was read, and with what was read before', async () => {
    const log = await lineLog(qwenLines)
    const lines = [asked, answered, user(session, 3, 'delete it'), assistant(session, 4, [{ text: 'Deleted.' }]), rewind(5, `${session}-2`)]
    expect((await log.read([...lines, user(session, 6, 'keep it')])).texts).toEqual(['asked', 'answered', 'keep it'])
    const { cursor } = await log.read(lines.slice(0, 3))
    expect((await log.readOn([...lines.slice(3), user(session, 6, 'keep it')], cursor)).texts).toEqual(['keep it'])
  })

  it('goes on from a record that holds no words, or from nothing at all', async () => {
    const log = await lineLog(qwenLines)
    const system = line('system', session, 3, { subtype: 'attribution_snapshot', systemPayload: {} })
    const lines = [asked, answered, system, user(session, 4, 'undone'), rewind(5, `${session}-3`)]
    expect((await log.read(lines)).texts).toEqual(['asked', 'answered'])
    expect((await log.read([...lines, rewind(6, null), user(session, 7, 'anew')])).texts).toEqual(['anew'])
  })

  it('is mined in its parent, and from the fork where the parent is gone, under the same keys', async () => {
    const log = await lineLog(qwenLines)
    const fork = sessionId(2)
    const from = (id: string) => ({ sessionId: fork, forkedFrom: { sessionId: session, messageUuid: id } })
    const copies = [user(session, 1, 'asked', from(`${session}-1`)), assistant(session, 2, [{ text: 'answered' }], from(`${session}-2`))]
    const parent = await log.read([asked, answered])
    expect((await log.read([...copies, user(fork, 3, 'asked in the fork')], fork)).texts).toEqual(['asked in the fork'])
    const archived = join(SLUG, 'chats', 'archive', `${session}.jsonl`)
    log.remove(join(SLUG, 'chats', `${session}.jsonl`))
    log.write(archived, [asked, answered])
    expect((await log.readId(fork)).texts).toEqual(['asked in the fork'])
    log.remove(archived)
    const { records } = await log.readId(fork)
    expect(records.map(({ text }) => text)).toEqual(['asked', 'answered', 'asked in the fork'])
    expect(records.slice(0, 2).map(({ key }) => key)).toEqual(parent.records.map(({ key }) => key))
  })
})

describe('Qwen Code: where sessions lie', () => {
  it('finds sessions that were put away, and takes of one in two places what was written last', async () => {
    const log = await lineLog(qwenLines)
    const archived = join(SLUG, 'chats', 'archive', `${session}.jsonl`)
    log.write(archived, [user(session, 1, 'put away')])
    expect((await log.readId(session)).texts).toEqual(['put away'])
    log.write(join('-home-u-moved', 'chats', `${session}.jsonl`), [user(session, 1, 'put away'), user(session, 2, 'taken out')])
    expect(log.sessions()).toHaveLength(1)
  })

  it('lists the transcripts of subagents under the session that spawned them, and mines their tools, not their talk', async () => {
    const log = await lineLog(qwenLines)
    const agent = [
      user(session, 1, 'a task that an agent wrote', { subtype: 'agent_launch_prompt' }),
      assistant(session, 2, [{ text: 'Looking.' }, call(2, 'ls')]),
      result(session, 2, 'tax.ts'),
    ]
    log.write(join(SLUG, 'subagents', session, 'agent-a1.jsonl'), agent)
    log.write(join(SLUG, 'subagents', session, 'agent-a1.meta.json'), ['{}'])
    log.write(join(SLUG, 'meta.json'), ['{}'])
    expect(log.sessions().map(({ id, owner }) => [id, owner])).toEqual([[`${session}/agent-a1`, session]])
    expect((await log.readId(`${session}/agent-a1`)).texts).toEqual(['ls', 'tax.ts'])
  })

  it('looks where the user moved the program’s folder, or its sessions alone', () => {
    const at = (env: Record<string, string>) => qwen.sessionDir({ ...system, home: '/home/u', env })
    expect(at({})).toBe(join('/home/u', '.qwen', 'projects'))
    expect(at({ QWEN_HOME: '~/q' })).toBe(join('/home/u', 'q', 'projects'))
    expect(at({ QWEN_HOME: '/q', QWEN_RUNTIME_DIR: '/run' })).toBe(join('/run', 'projects'))
  })
})
