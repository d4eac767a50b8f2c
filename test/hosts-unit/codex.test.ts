import { execFileSync, spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { codex } from '../../src/hosts/registry.ts'
import type { SessionRef, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { hostContract } from '../contract/host.ts'
import { noReport, readAll, transcriptSourceContract } from '../contract/transcript-source.ts'
import { time } from './claude-code-lines.ts'
import { system } from './claude-code-log.ts'
import { item, line, message, meta, threadId, turn } from './codex-lines.ts'
import { codexLines, codexLog, DAY, fileName } from './codex-log.ts'

transcriptSourceContract(codexLines)
hostContract(codexLog)

describe('Codex: what a record is', () => {
  let root: string
  let directory: string
  let source: TranscriptSource
  const thread = threadId(1)

  beforeEach(async () => {
    root = fs.mkdtempSync(join(tmpdir(), 'memu-codex-'))
    directory = join(root, 'sessions')
    fs.mkdirSync(directory)
    source = await codex.source(directory, { ...system, env: { CODEX_HOME: root } })
  })
  afterEach(() => fs.rmSync(root, { recursive: true, force: true }))

  function write(lines: readonly string[], path = join('sessions', DAY, fileName(thread))): string {
    const target = join(root, path)
    fs.mkdirSync(dirname(target), { recursive: true })
    fs.writeFileSync(target, lines.map((text) => `${text}\n`).join(''))
    return target
  }
  const sessions = (): SessionRef[] => source.discover(noReport)
  async function readThread(id = thread) {
    const found = sessions().find((known) => known.id === id)
    if (found === undefined) throw new Error('not discovered')
    return await readAll(source, found)
  }
  const read = (lines: readonly string[]) => {
    write(lines)
    return readThread()
  }

  it('drops injected blocks one by one and keeps what stands beside them', async () => {
    const { texts } = await read([
      meta(thread),
      message(1, 'user', ['<environment_context>\n<cwd>/x</cwd>\n</environment_context>', 'why does checkout fail?']),
      message(2, 'user', '<turn_aborted>interrupted</turn_aborted>'),
      message(3, 'user', '<user_instructions>be brief</user_instructions>'),
      message(4, 'user', '<skill>\n<name>x</name>\n</skill>'),
      message(5, 'user', ['<image name=[Image #1]>', '</image>', 'see the picture']),
      message(6, 'user', 'what is <environment_context> for?'),
      message(7, 'user', '<environment_context> is never closed here'),
      message(8, 'user', '# Context from my IDE setup:\n\n## Open tabs:\n- a.ts\n\n## My request for Codex:\nrename it'),
      message(9, 'system', 'not this'),
    ])
    expect(texts).toEqual([
      'why does checkout fail?',
      'see the picture',
      'what is <environment_context> for?',
      '<environment_context> is never closed here',
      'rename it',
    ])
  })

  it('believes what the program notes of who put a block there', async () => {
    const noted = (types: readonly string[]) => ({
      internal_chat_message_metadata_passthrough: { content_item_metadata: types.map((type) => ({ provenance: { type } })) },
    })
    const { texts } = await read([meta(thread), message(1, 'user', ['put there by a hook', 'typed'], noted(['harness', 'user']))])
    expect(texts).toEqual(['typed'])
  })

  it('knows every shape of tool call and output', async () => {
    const { records } = await read([
      meta(thread),
      item(1, { type: 'function_call', name: 'shell', arguments: '{"command":["bash","-lc","npm test"]}', call_id: 'c1' }),
      item(2, {
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"1 failed","metadata":{"exit_code":1,"duration_seconds":0.1}}',
      }),
      item(3, { type: 'custom_tool_call', call_id: 'c2', name: 'apply_patch', input: '*** Begin Patch\n*** End Patch' }),
      item(4, { type: 'custom_tool_call_output', call_id: 'c2', output: 'Exit code: 0' }),
      item(5, { type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls', '-la'] } }),
      item(6, {
        type: 'function_call_output',
        call_id: 'c3',
        output: [
          { type: 'input_text', text: 'ok' },
          { type: 'input_image', image_url: 'data:x' },
        ],
      }),
      item(7, { type: 'web_search_call', action: { type: 'search', query: 'tax undefined' } }),
      item(8, { type: 'function_call', name: 'update_plan', arguments: '{"plan":[]}', call_id: 'c4' }),
      item(9, {
        type: 'function_call_output',
        call_id: 'c4',
        output: 'Chunk ID: 1\nWall time: 0 seconds\nProcess exited with code 2\nOutput:\nno',
      }),
      item(10, { type: 'reasoning', summary: [] }),
    ])
    expect(records.map(({ tool, text }) => [tool?.part, tool?.name, tool?.failed ?? false, text.split('\n')[0]])).toEqual([
      ['call', 'shell', false, 'npm test'],
      ['result', undefined, true, '1 failed'],
      ['call', 'apply_patch', false, '*** Begin Patch'],
      ['result', undefined, false, 'Exit code: 0'],
      ['call', 'local_shell', false, 'ls -la'],
      ['result', undefined, false, 'ok'],
      ['call', 'web_search', false, 'tax undefined'],
      ['call', 'update_plan', false, '{"plan":[]}'],
      ['result', undefined, true, 'Chunk ID: 1'],
    ])
  })

  it('keeps messages and calls apart to which a model server gave the same id', async () => {
    const call = (number: number, cmd: string) =>
      item(number, { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: 'call_0' })
    const { texts } = await read([
      meta(thread),
      message(1, 'assistant', 'one', { id: 'm' }),
      call(2, 'ls'),
      message(3, 'assistant', 'two', { id: 'm' }),
      call(4, 'pwd'),
    ])
    expect(texts).toEqual(['one', 'ls', 'two', 'pwd'])
  })

  it('drops a history that a resume wrote again, but not a short answer given twice', async () => {
    const long = 'please use the staging database for all of the migration tests'
    const { texts } = await read([
      meta(thread),
      message(1, 'user', long),
      message(2, 'user', 'yes'),
      message(3, 'user', long),
      message(4, 'user', 'yes'),
    ])
    expect(texts).toEqual([long, 'yes', 'yes'])
  })

  it('takes each turn once where events repeat the items, in either order', async () => {
    const said = (number: number, type: string, text: string) => line('event_msg', number, { type, message: text })
    const { texts } = await read([
      meta(thread),
      said(1, 'user_message', 'first'),
      message(1, 'user', 'first'),
      message(2, 'assistant', 'second'),
      said(2, 'agent_message', 'second'),
    ])
    expect(texts).toEqual(['first', 'second'])
  })

  it('reads the events of an old rollout that has no items, however many and however it grows', async () => {
    const said = (number: number) =>
      line('event_msg', number, { type: number % 2 ? 'user_message' : 'agent_message', message: `said ${number}` })
    const numbers = Array.from({ length: 50 }, (_, i) => i + 1)
    const path = write([meta(thread), ...numbers.slice(0, 30).map(said)])
    const before = await readThread()
    fs.appendFileSync(
      path,
      numbers
        .slice(30)
        .map((number) => `${said(number)}\n`)
        .join(''),
    )
    const [session] = sessions()
    const after = await readAll(source, session as SessionRef, before.cursor)
    expect([...before.texts, ...after.texts]).toEqual(numbers.map((number) => `said ${number}`))
  })

  it('reads the oldest shapes: items without a type above them, and without an envelope', async () => {
    const bare = { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'no envelope' }] }
    const { texts, facts } = await read([
      JSON.stringify({ id: thread, timestamp: time(0), instructions: null, git: { branch: 'main' } }),
      JSON.stringify({ record_type: 'state' }),
      JSON.stringify(bare),
      JSON.stringify({ timestamp: time(1), payload: { ...bare, content: [{ type: 'input_text', text: 'no type' }] } }),
    ])
    expect(texts).toEqual(['no envelope', 'no type'])
    expect(facts).toEqual({ branch: 'main' })
  })

  it('learns project, branch and title', async () => {
    const { facts } = await read([
      meta(thread, { git: { branch: 'fix-tax' } }),
      line('event_msg', 1, { type: 'thread_name_updated', thread_name: 'Checkout' }),
    ])
    expect(facts).toEqual({ project: '/home/u/shop', branch: 'fix-tax', title: 'Checkout' })
  })

  it.each([
    [{ thread_source: 'subagent' }],
    [{ thread_source: 'memory_consolidation' }],
    [{ thread_source: undefined, source: { subagent: { depth: 1 } } }],
  ])('says that a thread is not the user’s own: %j', async (fields) =>
    expect((await read([meta(thread, fields)])).facts.internal).toBe(true),
  )

  it('takes the last name that a person gave the thread for its title', async () => {
    const name = (id: string, thread_name: unknown) => `${JSON.stringify({ id, thread_name, updated_at: time(1) })}\n`
    const lines = [name(thread, 'First'), 'torn\n', name(threadId(9), 'Other'), name(thread, 'Checkout'), name(thread, 7)]
    fs.writeFileSync(join(root, 'session_index.jsonl'), lines.join(''))
    expect((await read([meta(thread), message(1, 'user', 'hi')])).facts.title).toBe('Checkout')
  })

  it('leaves out the summary that a compaction asked the agent for', async () => {
    const summary = JSON.parse(message(1, 'assistant', 'a summary')) as object
    const marked = JSON.stringify({ ...summary, metadata: { compaction_output: true } })
    expect((await read([meta(thread), marked, message(2, 'user', 'on')])).texts).toEqual(['on'])
  })

  it('takes a foreign file with odd meta for what it is', async () => {
    const { texts, facts } = await read([meta(thread, { cwd: 7, source: null, git: 'x' }), message(1, 'user', 'hi')])
    expect(texts).toEqual(['hi'])
    expect(facts).toEqual({})
  })

  it('keeps what was said before a turn was rolled back', async () => {
    const { texts } = await read([
      meta(thread),
      message(1, 'user', 'never use tabs'),
      line('event_msg', 2, { type: 'thread_rolled_back', num_turns: 1 }),
    ])
    expect(texts).toEqual(['never use tabs'])
  })

  describe('a fork', () => {
    const forkedAt = Date.UTC(2026, 8, 1, 8, 1)
    const fork = threadId(2, forkedAt)
    const lines = [
      meta(fork, { forked_from_id: thread }),
      meta(thread),
      message(60, 'user', 'asked in the parent', { id: 'msg_p' }),
      turn(60, threadId(8, forkedAt - 50_000)),
      message(60, 'assistant', 'answered in the parent', { id: 'msg_q' }),
      turn(60, threadId(9, forkedAt + 40)),
      message(61, 'user', 'asked in the fork', { id: 'msg_f' }),
    ]

    it('is mined from the first turn that began after it did, where its parent is there', async () => {
      write([meta(thread), message(1, 'user', 'asked in the parent', { id: 'msg_p' })])
      write(lines, join('sessions', DAY, fileName(fork, '2026-09-01T10-01-00')))
      expect((await readThread(fork)).texts).toEqual(['asked in the fork'])
    })

    it('is mined from what was stamped later where turns have no telling ids', async () => {
      write([meta(thread)])
      write(
        [...lines.slice(0, 3), turn(60, 'turn-2'), message(66, 'user', 'asked in the fork')],
        join('sessions', DAY, fileName(fork, '2026-09-01T10-01-00')),
      )
      expect((await readThread(fork)).texts).toEqual(['asked in the fork'])
    })

    it('is mined from its first line where it names its parent’s part instead of repeating it', async () => {
      write([meta(thread)])
      const base = { thread_id: thread, end_ordinal_exclusive: 35, end_byte_offset: 4000 }
      const own = [meta(fork, { forked_from_id: thread, history_base: base }), message(60, 'user', 'asked in the fork')]
      write(own, join('sessions', DAY, fileName(fork, '2026-09-01T10-01-00')))
      expect((await readThread(fork)).texts).toEqual(['asked in the fork'])
    })

    it('is mined whole, with the parent’s keys, where the parent is gone', async () => {
      write([meta(thread), message(1, 'user', 'asked in the parent', { id: 'msg_p' })])
      const [parent] = (await readThread()).records
      fs.rmSync(join(root, 'sessions', DAY, fileName(thread)))
      write(lines, join('sessions', DAY, fileName(fork, '2026-09-01T10-01-00')))
      const { records } = await readThread(fork)
      expect(records.map(({ text }) => text)).toEqual(['asked in the parent', 'answered in the parent', 'asked in the fork'])
      expect(records[0]?.key).toBe(parent?.key)
    })
  })

  describe('the copies of one thread', () => {
    const lines = [meta(thread), message(1, 'user', 'kept'), message(2, 'assistant', 'yes')]
    const hasZstd = spawnSync('zstd', ['--version']).status === 0
    const compress = (path: string): string => {
      execFileSync('zstd', ['-q', '-3', '--rm', path])
      return `${path}.zst`
    }

    it('are one session: a plain one before a compressed one, the one written last before an older one', () => {
      const plain = write(lines)
      fs.writeFileSync(`${plain}.zst`, 'packed')
      fs.writeFileSync(`${plain}.tmp`, '')
      expect(sessions().map(({ path }) => path)).toEqual([plain])
      const archived = write(lines, join('archived_sessions', fileName(thread)))
      const later = new Date(Date.now() + 60_000)
      fs.utimesSync(archived, later, later)
      expect(sessions().map(({ id, path }) => [id, path])).toEqual([[thread, archived]])
    })

    it('are not what a revert began: that goes on where the thread was reverted to, in a session that the thread owns', async () => {
      write(lines)
      const base = { thread_id: thread, end_ordinal_exclusive: 14, end_byte_offset: 35_000 }
      const revert = [meta(thread, { history_base: base }), message(5, 'user', 'said after the revert')]
      write(revert, join('sessions', DAY, fileName(`${thread}_0199aa`)))
      const again = [meta(thread), message(9, 'user', 'said in a later file')]
      write(again, join('sessions', DAY, fileName(thread, '2026-09-02T10-00-00')))
      const found = sessions()
      expect(found.map(({ id, owner }) => [id, owner])).toEqual([
        [thread, thread],
        [`${thread}_0199aa`, thread],
        [`${thread}_2026-09-02T10-00-00`, thread],
      ])
      const texts = await Promise.all(found.map(async (session) => (await readAll(source, session)).texts))
      expect(texts.flat()).toEqual(['kept', 'yes', 'said after the revert', 'said in a later file'])
    })

    it('keep each its id when one of them goes, so that nothing is mined again', () => {
      const began = write(lines)
      for (const day of ['01T13-30-40', '02T10-00-40', '20T09-59-59'])
        write(lines, join('sessions', DAY, fileName(thread, `2026-09-${day}`)))
      const ids = sessions().map(({ id }) => id)
      expect(ids).toEqual([thread, `${thread}_2026-09-01T13-30-40`, `${thread}_2026-09-02T10-00-40`, `${thread}_2026-09-20T09-59-59`])
      fs.rmSync(began)
      expect(sessions().map(({ id }) => id)).toEqual(ids.slice(1))
    })

    it.each(['2026-08-31T18-00-00', '2026-09-01T13-29-59', '2026-09-01T22-00-00'])(
      'have the id of their thread where they were begun with it, wherever on earth: %s',
      (written) => {
        write(lines, join('sessions', DAY, fileName(thread, written)))
        expect(sessions().map(({ id }) => id)).toEqual([thread])
      },
    )

    it('of a thread whose id holds no time are each told by its own', () => {
      const old = '11111111-2222-4333-8444-555555555555'
      for (const day of ['01', '02']) write(lines, join('sessions', DAY, fileName(old, `2025-05-${day}T10-00-00`)))
      expect(sessions().map(({ id }) => id)).toEqual([`${old}_2025-05-01T10-00-00`, `${old}_2025-05-02T10-00-00`])
    })

    it('are found in the archive when they are only there', async () => {
      write(lines, join('archived_sessions', fileName(thread)))
      expect((await readThread()).texts).toEqual(['kept', 'yes'])
      fs.rmdirSync(directory)
      expect(source.exists()).toBe(true)
    })

    it.skipIf(!hasZstd)('keep their cursor when the program compresses a cold one and inflates it again', async () => {
      const many = [...lines, ...Array.from({ length: 4000 }, (_, i) => message(i + 3, 'user', `line ${i} ${'word '.repeat(i % 90)}`))]
      const path = write(many)
      const before = await readThread()
      expect(before.texts).toHaveLength(4002)
      compress(path)
      const [packed] = sessions()
      expect(packed?.path).toBe(`${path}.zst`)
      expect(await readAll(source, packed as SessionRef, before.cursor)).toMatchObject({
        texts: [],
        restarted: false,
        cursor: before.cursor,
      })
      expect((await readAll(source, packed as SessionRef)).texts).toEqual(before.texts)
      fs.rmSync(`${path}.zst`)
      write([...many, message(9000, 'user', 'resumed')])
      const [plain] = sessions()
      expect(await readAll(source, plain as SessionRef, before.cursor)).toMatchObject({ texts: ['resumed'], restarted: false })
    })

    it.skipIf(!hasZstd)('say so when a compressed one is damaged, and read one that is cut short as far as it goes', async () => {
      const path = compress(write([...lines, ...Array.from({ length: 3000 }, (_, i) => message(i + 3, 'user', `${Math.sin(i)} ${i}`))]))
      const bytes = fs.readFileSync(path)
      fs.writeFileSync(path, bytes.subarray(0, bytes.length - 1000))
      expect((await readThread()).texts.slice(0, 2)).toEqual(['kept', 'yes'])
      fs.writeFileSync(path, Buffer.concat([Buffer.from('garbage, not zstd at all'), bytes]))
      await expect(readThread()).rejects.toMatchObject({ code: 'session_unreadable' })
    })
  })
})
