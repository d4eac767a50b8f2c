import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import type { SourceCursor } from '../../src/hosts/transcript-source.ts'
import { stored } from '../contract/host/world.ts'
import type { LogEvent } from '../contract/host-log.ts'
import { readAll } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { openEditorLog } from './cursor-editor-log.ts'
import { conversationId, query, said, system } from './cursor-lines.ts'
import { SLUG } from './cursor-log.ts'
import { storePath, writeStore } from './cursor-store.ts'

const session = conversationId(1)

/** A conversation in which the same words come again. */
const words = (...texts: string[]): LogEvent[] =>
  texts.map((text, index) => ({ kind: index % 2 === 0 ? 'user' : 'assistant', number: index + 1, text }))
const conversation = words('why does checkout fail?', 'Shall I look?', 'yes', 'Done. Shall I commit it?', 'yes', 'Done.')

type Container = 'editor' | 'transcript' | 'store'

/** A home in which one conversation can lie in every place in which Cursor keeps some. */
async function home() {
  const home = temporaryFolder()
  const here = { ...system, home, platform: 'linux' as const }
  const user = join(home, '.config', 'Cursor', 'User')
  const database = join(user, 'globalStorage', 'state.vscdb')
  const transcript = (id: string): string => join(home, '.cursor', 'projects', SLUG, 'agent-transcripts', id, `${id}.jsonl`)
  const place: Record<Container, string> = { editor: user, transcript: transcript(session), store: join(home, '.cursor', 'chats') }
  function writeTranscript(events: readonly LogEvent[], id = session): void {
    fs.mkdirSync(dirname(transcript(id)), { recursive: true })
    const lines = events.map(({ kind, text }) => (kind === 'user' ? query(text) : said('assistant', text)))
    fs.writeFileSync(transcript(id), lines.map((line) => `${line}\n`).join(''))
  }
  const write: Record<Container, (events: readonly LogEvent[]) => void> = {
    editor(events) {
      fs.rmSync(user, { recursive: true, force: true })
      fs.mkdirSync(user, { recursive: true })
      const log = openEditorLog(user)
      log.append(session, events)
      log.close()
    },
    transcript: (events) => writeTranscript(events),
    store: (events) =>
      writeStore(storePath(place.store, session), {
        messages: events.map(({ kind, text }) => ({
          role: kind,
          content: [{ type: 'text', text: kind === 'user' ? `<user_query>\n${text}\n</user_query>` : text }],
        })),
      }),
  }
  return {
    database,
    write,
    writeTranscript,
    remove: (container: Container) => fs.rmSync(place[container], { recursive: true, force: true }),
    /** As a run of its own. */
    async read(since?: SourceCursor, id = session) {
      const source = await cursor.source(cursor.sessionDir(here) ?? '', here)
      const problems: string[] = []
      const found = source.discover(({ path }) => void problems.push(path)).find((known) => known.id === id)
      if (found === undefined) throw new Error('not discovered')
      return { path: found.path, problems, ...(await readAll(source, found, since && stored(since))) }
    },
  }
}

describe('Cursor: one conversation in several places', () => {
  const ways: [Container, Container][] = [
    ['editor', 'transcript'],
    ['editor', 'store'],
    ['transcript', 'editor'],
    ['transcript', 'store'],
    ['store', 'editor'],
    ['store', 'transcript'],
  ]

  it.each(ways)('has the same keys in the %s and in the %s, so that it is mined once', async (from, to) => {
    const h = await home()
    h.write[from](conversation)
    const before = await h.read()
    expect(before.texts).toEqual(conversation.map(({ text }) => text))
    h.remove(from)
    h.write[to]([...conversation, { kind: 'user', number: 7, text: 'yes' }])
    const after = await h.read(before.cursor)
    expect(after.path).not.toBe(before.path)
    expect(after.restarted).toBe(true)
    expect(after.records.slice(0, -1).map(({ key }) => key)).toEqual(before.records.map(({ key }) => key))
    expect(before.records.map(({ key }) => key)).not.toContain(after.records.at(-1)?.key)
  })

  it('has the same keys where only one of them notes a picture', async () => {
    const h = await home()
    h.write.editor(words('like here'))
    const before = await h.read()
    h.remove('editor')
    h.write.transcript([{ kind: 'user', number: 1, text: 'like here\n</user_query>\n<user_query>\n[image]' }])
    const after = await h.read(before.cursor)
    expect(after.texts).toEqual(['like here\n[image]'])
    expect(after.records[0]?.key).toBe(before.records[0]?.key)
  })

  it('gives a word that comes again in the editor the next key, read at once or bit by bit', async () => {
    const h = await home()
    const keys: string[] = []
    let cursorSoFar: SourceCursor | undefined
    for (let count = 1; count <= conversation.length; count++) {
      h.write.editor(conversation.slice(0, count))
      const { records, cursor } = await h.read(cursorSoFar)
      keys.push(...records.map(({ key }) => key).filter((key) => !keys.includes(key)))
      cursorSoFar = cursor
    }
    expect(keys).toHaveLength(conversation.length)
    expect((await h.read()).records.map(({ key }) => key)).toEqual(keys)
  })

  it('waits for the database of the editor while that cannot be read, and is read in no other place meanwhile', async () => {
    const h = await home()
    h.write.editor(conversation)
    h.write.transcript(conversation)
    const before = await h.read()
    expect(before.path).toBe(h.database)
    const folder = dirname(h.database)
    fs.renameSync(folder, `${folder}-away`)
    fs.mkdirSync(folder)
    fs.writeFileSync(h.database, 'not a database '.repeat(1000))
    h.writeTranscript(words('said elsewhere'), conversationId(2))

    const meanwhile = await h.read(before.cursor)
    expect(meanwhile).toMatchObject({ texts: [], restarted: false, cursor: before.cursor, problems: [h.database] })
    expect((await h.read(undefined, conversationId(2))).texts).toEqual(['said elsewhere'])

    fs.rmSync(folder, { recursive: true })
    fs.renameSync(`${folder}-away`, folder)
    expect(await h.read(meanwhile.cursor)).toMatchObject({ path: h.database, texts: [], restarted: false })
  })
})
