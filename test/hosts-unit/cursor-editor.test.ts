import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import type { SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { hostContract } from '../contract/host.ts'
import { sqliteHostContract } from '../contract/host-sqlite.ts'
import { noReport, readAll } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { type EditorDatabase, editorDatabase } from './cursor-editor-database.ts'
import { cursorEditorLog } from './cursor-editor-log.ts'
import { conversationId, query, system } from './cursor-lines.ts'

hostContract(cursorEditorLog)
sqliteHostContract(cursorEditorLog)

const CREATED = Date.UTC(2026, 8, 1, 8)
const NOW = system.now().getTime()
const chat = conversationId(1)

interface Editor {
  readonly user: string
  readonly source: TranscriptSource
  readonly all: EditorDatabase
  /** A workspace's database; its description names the project. */
  workspace(id: string, project?: string): EditorDatabase
  /** A chat whose bubbles are values of their own. */
  chat(id: string, bubbles: readonly Bubble[], fields?: object): void
  ids(): string[][]
  read(id: string, since?: SourceCursor): ReturnType<typeof readAll>
}

type Bubble = { readonly bubbleId: string; readonly type: number } & Readonly<Record<string, unknown>>

const says = (bubbleId: string, type: 1 | 2, text: string, fields: object = {}): Bubble => ({ bubbleId, type, text, ...fields })
const tool = (bubbleId: string, fields: object): Bubble => ({
  bubbleId,
  type: 2,
  text: '',
  toolFormerData: { status: 'completed', ...fields },
})

async function editor(): Promise<Editor> {
  const user = join(temporaryFolder(), 'User')
  const databaseIn = (folder: string): EditorDatabase => {
    fs.mkdirSync(folder, { recursive: true })
    const database = editorDatabase(join(folder, 'state.vscdb'))
    onTestFinished(() => database.close())
    return database
  }
  const all = databaseIn(join(user, 'globalStorage'))
  const source = await cursor.source(user, system)
  const find = (id: string) => source.discover(noReport).find((known) => known.id === id)
  return {
    user,
    source,
    all,
    workspace(id, project) {
      const folder = join(user, 'workspaceStorage', id)
      const database = databaseIn(folder)
      if (project !== undefined)
        fs.writeFileSync(join(folder, 'workspace.json'), JSON.stringify({ folder: `file://${encodeURI(project)}` }))
      return database
    },
    chat(id, bubbles, fields = {}) {
      const headers = bubbles.map(({ bubbleId, type }) => ({ bubbleId, type }))
      all.put('cursorDiskKV', `composerData:${id}`, {
        composerId: id,
        status: 'completed',
        createdAt: CREATED,
        lastUpdatedAt: CREATED + 60_000,
        fullConversationHeadersOnly: headers,
        ...fields,
      })
      for (const bubble of bubbles) all.put('cursorDiskKV', `bubbleId:${id}:${bubble.bubbleId}`, bubble)
    },
    ids: () =>
      source
        .discover(noReport)
        .map(({ id, owner }) => [id, owner])
        .sort(),
    async read(id, since) {
      const found = find(id)
      if (found === undefined) throw new Error('not discovered')
      return await readAll(source, found, since)
    },
  }
}

it('Cursor’s editor: can write in the middle of a look at its chats', async () => {
  const e = await editor()
  e.all.exec('pragma journal_mode = delete')
  e.chat(chat, [says('b1', 1, 'hi')])
  e.all.exec('pragma busy_timeout = 0; create table memu_test_probe (n integer)')
  let commits = 0
  const here = {
    ...system,
    now: () => {
      e.all.exec('begin immediate; insert into memu_test_probe values (1); commit')
      commits++
      return system.now()
    },
  }
  const source = await cursor.source(e.user, here)
  expect(source.discover(noReport).map(({ id }) => id)).toEqual([chat])
  expect(commits).toBe(1)
})

describe('Cursor’s editor: what a bubble is', () => {
  it('takes bubbles in the order of the chat, not of their keys or of their writing', async () => {
    const e = await editor()
    e.chat(chat, [says('z', 1, 'first'), says('a', 2, 'second'), says('m', 1, 'third')])
    e.all.put('cursorDiskKV', `bubbleId:${chat}:gone`, says('gone', 1, 'taken back'))
    e.all.put('cursorDiskKV', `bubbleId:${chat}:z`, says('z', 1, 'first'))
    expect((await e.read(chat)).texts).toEqual(['first', 'second', 'third'])
  })

  it('gives a call and its result, whatever the tool puts its output under, and says what failed', async () => {
    const e = await editor()
    e.chat(chat, [
      tool('b1', {
        name: 'run_terminal_command_v2',
        toolCallId: 't1',
        rawArgs: '{"command":"npm test"}',
        result: '{"output":"1 failed","exitCode":1}',
        status: 'error',
      }),
      tool('b2', { name: 'read_file', params: '{"path":"/a.ts"}', result: '{"contents":"export"}' }),
      tool('b3', { name: 'list_dir', rawArgs: '{"path":', params: '{}', result: '{"files":["a"]}' }),
      tool('b4', { name: 'edit_file', rawArgs: '{}', params: '{}', result: '{}', status: 'cancelled' }),
      { bubbleId: 'b5', type: 2, text: 'Said beside a call.', toolFormerData: { name: 'ask', rawArgs: '', result: 'plain words' } },
    ])
    const { records } = await e.read(chat)
    expect(records.map(({ text, tool }) => [text, tool])).toEqual([
      ['npm test', { part: 'call', name: 'run_terminal_command_v2', call: 't1' }],
      ['1 failed', { part: 'result', call: 't1', failed: true }],
      ['{"path":"/a.ts"}', { part: 'call', name: 'read_file', call: 'b2' }],
      ['export', { part: 'result', call: 'b2' }],
      ['{"path":', { part: 'call', name: 'list_dir', call: 'b3' }],
      ['{"files":["a"]}', { part: 'result', call: 'b3' }],
      ['', { part: 'call', name: 'edit_file', call: 'b4' }],
      ['Said beside a call.', undefined],
      ['', { part: 'call', name: 'ask', call: 'b5' }],
      ['plain words', { part: 'result', call: 'b5' }],
    ])
    expect(new Set(records.map(({ key }) => key)).size).toBe(records.length)
  })

  it('leaves out thoughts, marks of a compaction and bubbles that are empty or not there', async () => {
    const e = await editor()
    e.chat(chat, [
      says('b1', 2, '', { capabilityType: 30, thinking: { text: 'hm' } }),
      says('b2', 2, 'Summary of the chat so far', { capabilityType: 22 }),
      says('b3', 2, '[REDACTED]'),
      says('b4', 1, 'hi'),
    ])
    e.all.remove(`bubbleId:${chat}:b1`, `bubbleId:${chat}:b2`)
    expect(await e.read(chat)).toMatchObject({ texts: ['hi'], bad: 0 })
  })

  it('dates a bubble by when it was made, or in older versions by its request, and invents no time', async () => {
    const e = await editor()
    const request = { clientStartTime: 4745281.3, clientRpcSendTime: CREATED + 1000 }
    e.chat(chat, [
      says('b1', 1, 'one', { createdAt: '2026-09-01T08:00:05.000Z' }),
      says('b2', 2, 'two', { timingInfo: request }),
      says('b3', 2, 'three', { createdAt: 'soon', timingInfo: { clientStartTime: 4745281.3 } }),
    ])
    const { records } = await e.read(chat)
    expect(records.map(({ at }) => at)).toEqual(['2026-09-01T08:00:05.000Z', '2026-09-01T08:00:01.000Z', undefined])
  })

  it('learns title, branch and project from the chat', async () => {
    const e = await editor()
    const uri = { $mid: 1, scheme: 'file', fsPath: '/home/u/shop', path: '/home/u/shop' }
    e.chat(chat, [says('b1', 1, 'hi')], { name: ' Fix tax ', createdOnBranch: 'fix-tax', workspaceIdentifier: { id: 'w1', uri } })
    expect((await e.read(chat)).facts).toEqual({ title: 'Fix tax', branch: 'fix-tax', project: '/home/u/shop' })
    e.chat(chat, [says('b1', 1, 'hi')], { workspaceIdentifier: { id: 'w1', uri: { ...uri, scheme: 'vscode-remote' } } })
    expect((await e.read(chat)).facts).toEqual({})
  })
})

describe('Cursor’s editor: a chat that goes on', () => {
  const wait = { status: 'generating', lastUpdatedAt: NOW - 1000 }

  it('is read up to the question that is being answered, and then on', async () => {
    const e = await editor()
    const asked = [says('b1', 1, 'one'), says('b2', 2, 'two'), says('b3', 1, 'three')]
    e.chat(chat, [...asked, says('b4', 2, 'half an ans')], wait)
    const size = e.source.discover(noReport)[0]?.size
    const before = await e.read(chat)
    expect(before.texts).toEqual(['one', 'two', 'three'])
    e.chat(chat, [...asked, says('b4', 2, 'half an answer, and the rest')])
    expect(e.source.discover(noReport)[0]?.size).not.toBe(size)
    expect((await e.read(chat, before.cursor)).texts.at(-1)).toBe('half an answer, and the rest')
  })

  it('waits for the result of a tool that runs', async () => {
    const e = await editor()
    const call = { name: 'run_terminal_cmd', rawArgs: '{"command":"npm test"}' }
    e.chat(chat, [says('b1', 1, 'one'), tool('b2', { ...call, status: 'loading' })], { ...wait, status: 'none' })
    const before = await e.read(chat)
    expect(before.texts).toEqual(['one'])
    const later = await cursor.source(e.user, { ...system, now: () => new Date(NOW + 3_600_000) })
    expect(later.discover(noReport)[0]?.size).not.toBe(e.source.discover(noReport)[0]?.size)
    expect((await readAll(later, later.discover(noReport)[0]!)).texts).toEqual(['one', 'npm test'])
    e.chat(chat, [says('b1', 1, 'one'), tool('b2', { ...call, result: '{"output":"ok"}' })], { lastUpdatedAt: NOW })
    expect((await e.read(chat, before.cursor)).texts.slice(-2)).toEqual(['npm test', 'ok'])
  })

  it('is looked at once more, and read to its end, where an answer never came to one', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'one'), says('b2', 2, 'half an ans')], wait)
    const [while_] = e.source.discover(noReport)
    const later = await cursor.source(e.user, { ...system, now: () => new Date(NOW + 3_600_000) })
    const [after] = later.discover(noReport)
    expect(after?.size).not.toBe(while_?.size)
    expect((await readAll(later, after!)).texts).toEqual(['one', 'half an ans'])
  })

  it('is read anew, with the keys that it had, where an earlier bubble was written again', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'one'), says('b2', 2, 'two')])
    const before = await e.read(chat)
    e.all.put('cursorDiskKV', `bubbleId:${chat}:b1`, says('b1', 1, 'one, but changed'))
    const after = await e.read(chat, before.cursor)
    expect(after.restarted).toBe(true)
    expect(after.records[1]).toEqual(before.records[1])
    expect(after.records[0]?.key).not.toBe(before.records[0]?.key)
  })
})

describe('Cursor’s editor: which chats there are', () => {
  it('takes nothing for a chat in which nothing was said', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'hi')])
    e.chat(conversationId(2), [])
    e.all.put('cursorDiskKV', 'checkpointId:x', 'x'.repeat(1_000_000))
    e.all.put('cursorDiskKV', 'composerData', {})
    expect(e.ids()).toEqual([[chat, chat]])
  })

  it('uses the index of the keys for every search', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'hi')])
    const { globalChats } = await import('../../src/hosts/cursor/chats.ts')
    const { withSqliteLog } = await import('../../src/hosts/sqlite-log.ts')
    const plans: string[] = []
    withSqliteLog(join(e.user, 'globalStorage', 'state.vscdb'), (log) => {
      const explained = {
        ...log,
        all: (sql: string, ...params: readonly (string | number | Uint8Array | null)[]) => {
          plans.push(...log.all(`explain query plan ${sql}`, ...params).map(({ detail }) => String(detail)))
          return log.all(sql, ...params)
        },
      }
      globalChats(explained, new Map(), system)
    })
    expect(plans.filter((plan) => plan.startsWith('SEARCH')).length).toBeGreaterThan(1)
    expect(plans.filter((plan) => plan.startsWith('SCAN'))).toEqual([])
  })

  it('knows the chats of subagents by what newer versions note about them, and takes their tools alone', async () => {
    const e = await editor()
    const child = conversationId(2)
    e.all.head(child, CREATED + 5000, { name: 'Explore', subagentInfo: { parentComposerId: chat } })
    e.all.exec(`insert into composerHeaders values ('${chat}', null, ${CREATED}, null, 0, 'not json')`)
    e.chat(chat, [says('b1', 1, 'look around')])
    e.chat(child, [
      says('c1', 1, 'a task of the agent’s'),
      tool('c2', { name: 'list_dir', rawArgs: '{"command":"ls"}' }),
      says('c3', 2, 'a report'),
    ])
    expect(e.ids()).toEqual([
      [chat, chat],
      [`${chat}/${child}`, chat],
    ])
    const found = e.source.discover(noReport).find(({ owner, id }) => id !== owner)
    expect(found?.modified).toBe(CREATED + 5000)
    expect(await e.read(`${chat}/${child}`)).toMatchObject({ texts: ['ls'], facts: { title: 'Explore' } })
  })

  it('knows the project of an older chat by the workspace that lists it', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'hi')])
    const heads = [{ composerId: chat, name: 'Listed', lastUpdatedAt: CREATED + 9000 }]
    e.workspace('w1', '/home/u/my shop').put('ItemTable', 'composer.composerData', { allComposers: heads })
    expect(e.source.discover(noReport)[0]?.modified).toBe(CREATED + 9000)
    expect((await e.read(chat)).facts).toEqual({ title: 'Listed', project: '/home/u/my shop' })
    e.all.put('ItemTable', 'composer.composerHeaders', {
      allComposers: [{ composerId: chat, name: 'Listed for all', workspaceIdentifier: { uri: { fsPath: '/home/u/new' } } }],
    })
    expect((await e.read(chat)).facts).toEqual({ title: 'Listed for all', project: '/home/u/new' })
  })

  it('reads chats that hold their bubbles themselves, in the database of all windows or of one', async () => {
    const e = await editor()
    const inside = (text: string) => ({ createdAt: CREATED, conversation: [says('b1', 1, text), says('b2', 2, 'answer')] })
    e.all.put('cursorDiskKV', `composerData:${chat}`, { composerId: chat, name: 'Inline', ...inside('asked') })
    const other = conversationId(2)
    const w = e.workspace('w1', '/home/u/shop')
    w.put('ItemTable', 'composer.composerData', {
      allComposers: [
        { composerId: other, name: 'Old', ...inside('asked there') },
        { composerId: chat, ...inside('an older copy') },
        { composerId: conversationId(3), conversation: [] },
      ],
    })
    expect(e.ids()).toEqual([
      [chat, chat],
      [other, other],
    ])
    expect(await e.read(chat)).toMatchObject({ texts: ['asked', 'answer'], facts: { title: 'Inline', project: '/home/u/shop' } })
    const before = await e.read(other)
    expect(before).toMatchObject({ texts: ['asked there', 'answer'], facts: { title: 'Old', project: '/home/u/shop' } })
    expect(await e.read(other, JSON.parse(JSON.stringify(before.cursor)) as SourceCursor)).toMatchObject({ texts: [], restarted: false })
  })

  it('reads the chat panel of early versions', async () => {
    const e = await editor()
    const typed = {
      root: {
        type: 'root',
        children: [{ type: 'paragraph', children: [{ type: 'text', text: 'typed' }, { type: 'linebreak' }, { text: 'here' }] }],
      },
    }
    const tab = {
      tabId: chat,
      chatTitle: 'Why',
      lastSendTime: CREATED,
      bubbles: [
        { type: 'user', id: 'u1', text: 'why?' },
        { type: 'ai', id: 'a1', rawText: 'Because.' },
        { type: 'user', id: 'u2', initText: JSON.stringify(typed) },
        { type: 'user', id: 'u3', initText: 'no document' },
      ],
    }
    const w = e.workspace('w1', '/home/u/shop')
    w.put('ItemTable', 'workbench.panel.aichat.view.aichat.chatdata', { tabs: [tab, { tabId: conversationId(2), bubbles: [] }, 'x', null] })
    expect(e.source.discover(noReport).map(({ id, modified }) => [id, modified])).toEqual([[chat, CREATED]])
    expect(await e.read(chat)).toMatchObject({
      texts: ['why?', 'Because.', 'typed\nhere'],
      facts: { title: 'Why', project: '/home/u/shop' },
    })
  })

  it('goes on past values that are no JSON, and says which chat cannot be read', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'hi')])
    const broken = conversationId(2)
    e.all.put('cursorDiskKV', `composerData:${broken}`, '{"composerId":"x","conv')
    e.all.put('ItemTable', 'composer.composerHeaders', '{"allComposers":[')
    e.workspace('w1').put('ItemTable', 'composer.composerData', 'null')
    expect(e.ids()).toEqual([
      [chat, chat],
      [broken, broken],
    ])
    expect((await e.read(chat)).texts).toEqual(['hi'])
    await expect(e.read(broken)).rejects.toMatchObject({ code: 'session_unreadable' })
  })

  it('reports a database that cannot be read, and reads the others', async () => {
    const e = await editor()
    e.chat(chat, [says('b1', 1, 'hi')])
    const folder = join(e.user, 'workspaceStorage', 'w1')
    fs.mkdirSync(folder, { recursive: true })
    fs.writeFileSync(join(folder, 'state.vscdb'), 'this is a note\n'.repeat(1000))
    const problems: string[] = []
    expect(e.source.discover(({ path }) => void problems.push(path)).map(({ id }) => id)).toEqual([chat])
    expect(problems).toEqual([join(folder, 'state.vscdb')])
  })
})

describe('Cursor: agents and the editor together', () => {
  it('are read from their own places, and a conversation that both have is read once, from the chat', async () => {
    const home = temporaryFolder()
    const here = { ...system, home, platform: 'linux' as const }
    const user = join(home, '.config', 'Cursor', 'User')
    fs.mkdirSync(join(user, 'globalStorage'), { recursive: true })
    const all = editorDatabase(join(user, 'globalStorage', 'state.vscdb'))
    onTestFinished(() => all.close())
    const headers = [{ bubbleId: 'b1', type: 1 }]
    all.put('cursorDiskKV', `composerData:${chat}`, { composerId: chat, lastUpdatedAt: CREATED, fullConversationHeadersOnly: headers })
    all.put('cursorDiskKV', `bubbleId:${chat}:b1`, says('b1', 1, 'from the chat'))
    const agent = conversationId(2)
    for (const id of [chat, agent]) {
      const folder = join(home, '.cursor', 'projects', 'home-u-shop', 'agent-transcripts', id)
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(join(folder, `${id}.jsonl`), `${query('from a transcript')}\n`)
    }
    // Opened and never used, or kept elsewhere: then the transcript is all there is.
    all.put('cursorDiskKV', `composerData:${agent}`, { composerId: agent, fullConversationHeadersOnly: [] })
    const source = await cursor.source(cursor.sessionDir(here) ?? '', here)
    const texts = await Promise.all(source.discover(noReport).map(async (ref) => [ref.id, (await readAll(source, ref)).texts]))
    expect(texts.sort()).toEqual([
      [chat, ['from the chat']],
      [agent, ['from a transcript']],
    ])
  })

  it('are looked for where each platform keeps the editor’s data', async () => {
    const { userFolder } = await import('../../src/hosts/cursor/places.ts')
    const on = (platform: NodeJS.Platform, env: Record<string, string> = {}) => userFolder({ ...system, platform, env })
    expect(on('linux')).toBe(join('/home/u', '.config', 'Cursor', 'User'))
    expect(on('linux', { XDG_CONFIG_HOME: '/xdg' })).toBe(join('/xdg', 'Cursor', 'User'))
    expect(on('darwin')).toBe(join('/home/u', 'Library', 'Application Support', 'Cursor', 'User'))
    expect(on('win32', { APPDATA: '/roaming' })).toBe(join('/roaming', 'Cursor', 'User'))
  })
})
