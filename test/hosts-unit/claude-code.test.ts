import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { claudeCode } from '../../src/hosts/registry.ts'
import type { SessionRef, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { forkingContract } from '../contract/host/forking.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll, transcriptSourceContract } from '../contract/transcript-source.ts'
import { assistant, line, sessionId, time, user } from './claude-code-lines.ts'
import { claudeCodeLines, claudeCodeLog, claudeCodeUnmarked, SLUG, system } from './claude-code-log.ts'

transcriptSourceContract(claudeCodeLines)
hostContract(claudeCodeLog)
describe('Claude Code, forks that nothing marks', () => forkingContract(claudeCodeUnmarked()))

describe('Claude Code: what a record is', () => {
  let directory: string
  let source: TranscriptSource
  const session = sessionId(1)

  beforeEach(async () => {
    directory = fs.mkdtempSync(join(tmpdir(), 'memu-claude-'))
    source = await claudeCode.source(directory, system)
  })
  afterEach(() => fs.rmSync(directory, { recursive: true, force: true }))

  function write(path: string, lines: readonly string[]): void {
    const target = join(directory, SLUG, path)
    fs.mkdirSync(dirname(target), { recursive: true })
    fs.writeFileSync(target, lines.map((text) => `${text}\n`).join(''))
  }
  const sessions = (): SessionRef[] => source.discover(noReport)
  async function read(lines: readonly string[], id = session) {
    write(`${id}.jsonl`, lines)
    const found = sessions().find((known) => known.id === id)
    if (found === undefined) throw new Error('not discovered')
    return await readAll(source, found)
  }
  const texts = async (lines: readonly string[]): Promise<readonly string[]> => (await read(lines)).texts

  it('takes a prompt given to `claude -p` for what it is: a person’s', async () => {
    expect(await texts([user(session, 1, 'remember the port', { promptSource: 'sdk' })])).toEqual(['remember the port'])
  })

  it.each([
    ['meta records', { isMeta: true }],
    ['the summary after a compaction', { isCompactSummary: true, isVisibleInTranscriptOnly: true }],
    ['virtual records', { isVirtual: true }],
    ['what another agent, a channel or the program itself sent', { origin: { kind: 'task-notification' } }],
    ['inline sidechains', { isSidechain: true }],
  ])('leaves out %s', async (_, fields) => {
    expect(await texts([user(session, 1, 'not said here', fields), user(session, 2, 'said', { origin: { kind: 'human' } })])).toEqual([
      'said',
    ])
  })

  it('keeps of a slash command only its arguments', async () => {
    const command =
      '<command-message>review</command-message>\n<command-name>/review</command-name>\n<command-args>the tax module</command-args>'
    const bare = '<command-name>/clear</command-name><command-message>clear</command-message><command-args></command-args>'
    expect(await texts([user(session, 1, command), user(session, 2, bare)])).toEqual(['the tax module'])
  })

  it('strips complete injected blocks at the start of a text, and leaves those that a person writes about', async () => {
    const about = 'what does <system-reminder> mean? I saw <system-reminder>x</system-reminder> in a log'
    const unclosed = '<system-reminder> is a tag that I wonder about'
    expect(
      await texts([
        user(session, 1, '<system-reminder>date</system-reminder>\n<local-command-stdout>done</local-command-stdout>\nfix the bug'),
        user(session, 2, about),
        user(session, 3, unclosed),
        user(session, 4, [
          { type: 'text', text: '<system-reminder>only this</system-reminder>' },
          { type: 'text', text: 'and my text' },
        ]),
        user(session, 5, '<pasted_content>a log of mine</pasted_content>'),
      ]),
    ).toEqual(['fix the bug', about, unclosed, 'and my text', '<pasted_content>a log of mine</pasted_content>'])
  })

  it('leaves out the marks of an interruption and messages that the program writes in the agent’s name', async () => {
    expect(
      await texts([
        user(session, 1, [{ type: 'text', text: '[Request interrupted by user]' }]),
        user(session, 2, '[Request interrupted by user for tool use]'),
        assistant(session, 3, 'API Error: 529', { isApiErrorMessage: true }),
        line('assistant', session, 4, {
          message: { role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'No response requested.' }] },
        }),
        assistant(session, 5, [{ type: 'thinking', thinking: 'hm', signature: 's' }]),
        user(session, 6, 'go on'),
      ]),
    ).toEqual(['go on'])
  })

  it('puts [image] where a picture was, and takes no picture alone for a message', async () => {
    const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
    expect(
      await texts([
        user(session, 1, [{ type: 'text', text: 'see this' }, picture]),
        user(session, 2, [picture]),
        user(session, 3, [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'shot' }, picture] }]),
      ]),
    ).toEqual(['see this\n[image]', 'shot\n[image]'])
  })

  it('takes up what a person typed while the agent was working, which is logged as an attachment only', async () => {
    const attachment = (fields: object) => line('attachment', session, 1, { attachment: fields })
    expect(await texts([attachment({ type: 'queued_command', prompt: 'no, use pnpm', commandMode: 'prompt' })])).toEqual(['no, use pnpm'])
    expect(
      await texts([
        attachment({ type: 'queued_command', prompt: 'agent done', commandMode: 'task-notification' }),
        attachment({ type: 'queued_command', prompt: 'hello', origin: { kind: 'peer' } }),
        attachment({ type: 'hook_additional_context', content: ['<memory>injected</memory>'] }),
      ]),
    ).toEqual([])
  })

  it('names the tool of a call, gives other input than a command as JSON, and says what failed', async () => {
    const { records } = await read([
      assistant(session, 1, [
        { type: 'text', text: 'Both at once.' },
        { type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'npm test', description: 'Run' } },
        { type: 'tool_use', id: 't2', name: 'Read', input: { file_path: '/a.ts' } },
      ]),
      user(session, 2, [{ type: 'tool_result', tool_use_id: 't1', content: 'Exit code 1', is_error: true }], {
        toolUseResult: 'Error: Exit code 1',
      }),
    ])
    expect(records.map(({ text, tool }) => ({ text, tool }))).toEqual([
      { text: 'Both at once.', tool: undefined },
      { text: 'npm test', tool: { part: 'call', name: 'Bash', call: 't1' } },
      { text: '{"file_path":"/a.ts"}', tool: { part: 'call', name: 'Read', call: 't2' } },
      { text: 'Exit code 1', tool: { part: 'result', call: 't1', failed: true } },
    ])
    expect(new Set(records.map(({ key }) => key)).size).toBe(4)
  })

  it('learns project, branch and title from the records, a person’s title before the program’s', async () => {
    const title = (fields: object) => JSON.stringify({ sessionId: session, ...fields })
    const { facts } = await read([
      title({ type: 'summary', summary: 'Old words', leafUuid: 'x' }),
      user(session, 1, 'hi', { gitBranch: 'HEAD' }),
      user(session, 2, 'there', { cwd: '/home/u/shop/web', gitBranch: 'fix-tax' }),
      title({ type: 'custom-title', customTitle: 'Checkout' }),
      title({ type: 'ai-title', aiTitle: 'Fix checkout tax' }),
    ])
    expect(facts).toEqual({ project: '/home/u/shop', branch: 'fix-tax', title: 'Checkout' })
  })

  it('keeps of a title, a folder and a branch no more than a path can have, from read to read', async () => {
    const { cursor } = await read([
      user(session, 1, 'hi', { cwd: `/${'c'.repeat(1_000_000)}`, gitBranch: 'b'.repeat(1_000_000) }),
      JSON.stringify({ sessionId: session, type: 'custom-title', customTitle: 't'.repeat(3_000_000) }),
    ])
    expect(JSON.stringify(cursor).length).toBeLessThan(15_000)
  })

  it.skipIf(process.platform === 'win32').each(['subagents', join('subagents', 'workflows'), ''])(
    'looks for subagents below no link: %j of a session’s folder',
    (folder) => {
      write(`${session}.jsonl`, [user(session, 1, 'go')])
      write(`${session}/subagents/workflows/wf_1/agent-a1.jsonl`, [user(session, 1, 'a task')])
      expect(sessions()).toHaveLength(2)
      const [path, outside] = [join(directory, SLUG, session, folder), `${directory}-elsewhere`]
      fs.renameSync(path, outside)
      fs.symlinkSync(outside, path)
      expect(sessions().map(({ id }) => id)).toEqual([session])
      fs.rmSync(outside, { recursive: true })
    },
  )

  it('lists the transcripts of subagents under the session that spawned them, and mines their tools, not their talk', async () => {
    write(`${session}.jsonl`, [user(session, 1, 'look around')])
    const agent = [
      user(session, 1, 'a task that an agent wrote', { isSidechain: true, agentId: 'a1' }),
      assistant(session, 2, [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }], { isSidechain: true }),
      assistant(session, 3, 'a report to the agent', { isSidechain: true }),
    ]
    write(`${session}/subagents/agent-a1.jsonl`, agent)
    write(`${session}/subagents/workflows/wf_1/agent-a2.jsonl`, agent)
    write(`${session}/tool-results/x.jsonl`, ['{}'])
    write('agent-old.jsonl', agent)
    const found = sessions()
    expect(found.map(({ id, owner }) => [id, owner]).sort()).toEqual([
      [session, session],
      [`${session}/agent-a1`, session],
      [`${session}/workflows/wf_1/agent-a2`, session],
      ['agent-old', 'agent-old'],
    ])
    for (const ref of found.filter(({ id }) => id !== session)) {
      // Of an older version's nobody knows whose it is without reading it: it is passed over.
      const { texts, facts } = await readAll(source, ref)
      expect([texts, facts.internal], ref.id).toEqual([['ls'], ref.id === 'agent-old' ? true : undefined])
    }
  })

  it('takes nothing for a session that is none', () => {
    write(`${session}.jsonl`, [])
    write('sessions-index.json', [])
    write(`${session}.jsonl.orphaned-1`, [])
    expect(sessions().map(({ id }) => id)).toEqual([session])
  })

  it('takes of one session under two projects the transcript that was written last', () => {
    write(`${session}.jsonl`, [user(session, 1, 'old')])
    const moved = join(directory, '-home-u-moved', `${session}.jsonl`)
    fs.mkdirSync(dirname(moved))
    fs.writeFileSync(moved, `${user(session, 1, 'old')}\n${user(session, 2, 'new')}\n`)
    const old = new Date(Date.now() - 60_000)
    fs.utimesSync(join(directory, SLUG, `${session}.jsonl`), old, old)
    expect(sessions().map(({ path }) => path)).toEqual([moved])
  })

  describe('a fork', () => {
    const fork = sessionId(2)
    const copied = [
      user(fork, 1, 'asked in the parent', { uuid: 'copy-1', forkedFrom: { sessionId: session, messageUuid: `${session}-1` } }),
      user(session, 2, 'copied with the old session id', { uuid: `${session}-2` }),
      user(fork, 3, 'asked in the fork'),
    ]

    it('is mined without the records of the session that it came from', async () => {
      write(`${session}.jsonl`, [user(session, 1, 'asked in the parent'), user(session, 2, 'copied with the old session id')])
      expect((await read(copied, fork)).texts).toEqual(['asked in the fork'])
    })

    it.each([0, 50_000])(
      'is recognised by its first record (%d characters more) where nothing marks a copy, and each record is mined once',
      async (more) => {
        const asked = `asked in the parent${'.'.repeat(more)}`
        const prompt = (id: string, at: number) =>
          JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp: time(at), sessionId: id })
        const inherited = (id: string) => [
          ...(more === 0 ? [line('attachment', id, 0, { uuid: 'r0', parentUuid: null, attachment: { type: 'hook_success' } })] : []),
          user(id, 1, asked, { uuid: 'r1', parentUuid: null }),
          assistant(id, 2, 'answered in the parent', { uuid: 'r2', parentUuid: 'r1' }),
        ]
        const child = sessionId(0) // sorts before its parent
        write(`${session}.jsonl`, [prompt(session, 0), ...inherited(session), user(session, 9, 'later in the parent')])
        write(`${child}.jsonl`, [prompt(child, 5), ...inherited(child), user(child, 6, 'asked in the child', { parentUuid: 'r2' })])
        const texts = await Promise.all(sessions().map(async (ref) => (await readAll(source, ref)).texts))
        expect(texts.flat().sort()).toEqual(['answered in the parent', 'asked in the child', asked, 'later in the parent'])
        expect((await read([prompt(child, 5), ...inherited(child)], child)).texts).toEqual([])
      },
    )

    it('is never left out by both of two transcripts that begin alike at the same time', async () => {
      const lines = (id: string) => [user(id, 1, 'said once', { uuid: 'r1', parentUuid: null })]
      write(`${session}.jsonl`, lines(session))
      write(`${fork}.jsonl`, lines(fork))
      const texts = await Promise.all(sessions().map(async (ref) => (await readAll(source, ref)).texts))
      expect(texts.flat()).toEqual(['said once'])
    })

    it('gives them, under the keys that they had there, where that session is gone', async () => {
      const { records } = await read(copied, fork)
      expect(records.map(({ key }) => key)).toEqual([`${session}-1`, `${session}-2`, `${fork}-3`])
    })
  })
})
