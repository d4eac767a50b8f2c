/** A host of our own: one JSON-lines file a session, each line `{role, text, at?, key?, tool?, call?, result?}`. Small enough to see through. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import type { Emit, SessionRecord, SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'

export interface FakeLine {
  readonly role?: 'user' | 'assistant'
  readonly tool?: string
  /** Of a tool record: the call's id, and whether it is the result; a call by default. */
  readonly call?: string
  readonly result?: true
  readonly text: string
  readonly at?: string
  readonly key?: string
  readonly internal?: boolean
  readonly title?: string
}

export function fakeSource(directory: string): TranscriptSource {
  return {
    exists: () => fs.existsSync(directory),
    discover: () =>
      fs.readdirSync(directory).map((name) => {
        const path = join(directory, name)
        const { size, mtimeMs } = fs.statSync(path)
        const id = name.replace('.jsonl', '')
        return { id, owner: id.split('+')[0] ?? id, path, size, modified: mtimeMs }
      }),
    async read(session, since, emit, signal) {
      const text = fs.readFileSync(session.path, 'utf8')
      let end = text.lastIndexOf('\n') + 1
      const made = since as { offset?: number; head?: string } | undefined
      const goesOn = made?.offset !== undefined && made.offset <= end && hash(text.slice(0, made.offset)) === made.head
      let bad = 0
      let offset = goesOn ? (made.offset ?? 0) : 0
      let firstBad: { offset: number; reason: string } | undefined
      let internal = false
      let title = `about ${session.id}`
      let more = false
      const key = repeats(text.slice(0, offset).split('\n').slice(0, -1))
      for (const line of text.slice(offset, end).split('\n').slice(0, -1)) {
        signal?.throwIfAborted()
        const next = offset + line.length + 1
        try {
          const value = JSON.parse(line) as FakeLine
          internal ||= value.internal ?? false
          title = value.title ?? title
          if ((await emit(toRecord(value, key(line)))) === 'enough' && next < end) {
            more = true
            end = next
          }
        } catch (error) {
          if (!(error instanceof SyntaxError)) throw error
          bad++
          firstBad ??= { offset, reason: 'not JSON' }
        }
        offset = next
        if (more) break
      }
      const cursor: SourceCursor = { offset: end, head: hash(text.slice(0, end)) }
      const facts = { title, project: '/home/u/shop', ...(internal ? { internal } : {}) }
      return { cursor, restarted: since !== undefined && !goesOn, ...(more && { more }), bad, ...(firstBad ? { firstBad } : {}), facts }
    },
  }
}

/** The same source, with something between it and who takes its records. */
export function withEmit(source: TranscriptSource, between: (emit: Emit) => Emit): TranscriptSource {
  return { ...source, read: (session, since, emit, signal) => source.read(session, since, between(emit), signal) }
}

/** The key of a line: lines that are the same are told apart by counting. */
function repeats(before: readonly string[]): (line: string) => string {
  const counts = new Map<string, number>()
  const key = (line: string): string => {
    const count = (counts.get(line) ?? 0) + 1
    counts.set(line, count)
    return hash(`${count} ${line}`)
  }
  before.forEach(key)
  return key
}

function toRecord({ role = 'user', tool, call, result, text, at, key }: FakeLine, counted: string): SessionRecord {
  const rest = { text, ...(at ? { at } : {}), key: key ?? counted }
  return tool === undefined
    ? { kind: 'message', role, ...rest }
    : { kind: 'tool', role: 'tool', ...rest, tool: { name: tool, ...(call && { call }), part: result ? 'result' : 'call' } }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
