/** The sessions of opencode's older versions, in files of JSON. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { opencode } from '../../src/hosts/opencode/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { hostContract } from '../contract/host.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../contract/host-log.ts'
import { noReport, readAll } from '../contract/transcript-source.ts'
import { temporaryFolder } from '../helpers/temporary.ts'
import { messageId, opencodeDatabase, START, sessionId } from './opencode-log.ts'

const filesLog: HostLogFixture = { spec: opencode, name: 'opencode, older versions', id: sessionId, open }

hostContract(filesLog)

function write(path: string, value: object | string): void {
  fs.mkdirSync(join(path, '..'), { recursive: true })
  fs.writeFileSync(path, typeof value === 'string' ? value : JSON.stringify(value))
}

const sessionFile = (root: string, session: string): string => join(root, 'storage', 'session', 'global', `${session}.json`)
const messageFile = (root: string, session: string, id: string): string => join(root, 'storage', 'message', session, `${id}.json`)
const partFile = (root: string, message: string, part: string): string => join(root, 'storage', 'part', message, `${part}.json`)

function open(root: string): HostLog {
  function add(session: string, { kind, number, text }: LogEvent): void {
    const at = START + number * 1000
    const id = messageId(session, number)
    const isTool = kind === 'call' || kind === 'result'
    const completed = kind === 'call' ? {} : { completed: at }
    const part = partFile(root, id, `prt_${id.slice(4)}`)
    if (isTool) {
      const asked =
        kind === 'call' ? { command: text } : (JSON.parse(fs.readFileSync(part, 'utf8')) as { state: { input: object } }).state.input
      const answer = kind === 'call' ? { status: 'running' } : { status: 'completed', output: text }
      write(part, {
        type: 'tool',
        tool: 'bash',
        callID: `call_${number}`,
        state: { ...answer, input: asked, time: { start: at, end: at } },
      })
    } else write(part, { type: kind === 'noise' ? 'reasoning' : 'text', text })
    write(messageFile(root, session, id), { role: kind === 'user' ? 'user' : 'assistant', time: { created: at, ...completed } })
  }

  function append(session: string, events: readonly LogEvent[]): void {
    for (const event of events) add(session, event)
    write(sessionFile(root, session), { id: session, title: 'Tax', directory: '/home/u/shop' })
  }

  return {
    sessionDir: root,
    append,
    rewrite(session, events) {
      fs.rmSync(join(root, 'storage', 'message', session), { recursive: true })
      append(session, events)
    },
    appendBroken(session) {
      const messages = fs.readdirSync(join(root, 'storage', 'message', session)).sort()
      write(join(root, 'storage', 'message', session, messages.at(-1)!.replace('.json', 'x.json')), '{"role":')
    },
    close() {},
  }
}

describe('opencode’s files beside its database', () => {
  const system = { ...realSystem(), env: {}, now: () => new Date('2026-10-01T00:00:00Z') }
  const [first, second] = [sessionId(1), sessionId(2)]

  it('are read where the database has not taken the session over', async () => {
    const root = temporaryFolder()
    const files = open(root)
    for (const id of [first, second]) files.append(id, [{ kind: 'user', number: 1, text: 'from a file' }])
    const database = opencodeDatabase(join(root, 'opencode.db'))
    database.session(first)
    database.message(first, 1, { role: 'user' }, [{ type: 'text', text: 'from the database' }])
    database.close()
    const source = await opencode.source(root, system)
    const refs = source.discover(noReport)
    expect(refs.map(({ id }) => id)).toEqual([first, second])
    const texts = await Promise.all(refs.map(async (ref) => (await readAll(source, ref, undefined)).texts))
    expect(texts).toEqual([['from the database'], ['from a file']])
  })

  it('of a subagent are known by their own file, and passed over', async () => {
    const root = temporaryFolder()
    open(root).append(first, [{ kind: 'user', number: 1, text: 'you are a subagent' }])
    write(sessionFile(root, first), { id: first, parentID: second, directory: '/home/u/shop' })
    const source = await opencode.source(root, system)
    const [ref] = source.discover(noReport)
    expect((await readAll(source, ref!, undefined)).facts).toEqual({ internal: true, project: '/home/u/shop' })
  })
})
