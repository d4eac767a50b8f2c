/** The logs of OpenClaw from before it had databases, which stay beside them: `sessions/<session>.jsonl` and the index of their keys. */
import { join } from 'node:path'
import { openFile } from '../../util/jsonl.ts'
import { child, entries, type FileState, fileState, isLogFile } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import type { Report } from '../transcript-source.ts'

export interface SessionFile extends FileState {
  /** With `-topic-<thread>` where it is the log of one thread of a channel. */
  readonly session: string
  readonly path: string
}

/** What the index says of a session. */
export interface Indexed {
  readonly key: string
  readonly spawnedBy?: string
  readonly isExternal?: boolean
}

/** Copies that the program makes for itself: of what it sent to the model, of a session before it was shortened. */
const COPY = /\.(?:trajectory|checkpoint\.[^.]+)\.jsonl$/
/** A larger index is left unread: then no session is known to be a subagent's. */
const INDEX_LIMIT = 64 * 1024 * 1024

/** Files that were set aside (`….jsonl.reset.<time>`), archived or locked have other endings or lie in folders of their own. */
export function sessionFiles(agentDir: string, report: Report): SessionFile[] {
  const folder = join(agentDir, 'sessions')
  return entries(folder, report).flatMap((entry) => {
    const path = child(folder, entry.name)
    if (!entry.name.endsWith('.jsonl') || COPY.test(entry.name) || !isLogFile(entry, path, report)) return []
    const state = fileState(path, report)
    return state === undefined ? [] : [{ session: entry.name.slice(0, -'.jsonl'.length), path, ...state }]
  })
}

/** What `sessions.json` says, by session; empty where there is none. */
export function readIndex(agentDir: string, report: Report): ReadonlyMap<string, Indexed> {
  const path = join(agentDir, 'sessions', 'sessions.json')
  const state = fileState(path, report)
  if (state === undefined || state.size > INDEX_LIMIT) return new Map()
  try {
    const index = asObject(JSON.parse(textOf(path, state.size))) ?? {}
    return new Map(Object.entries(index).flatMap(([key, value]) => indexed(key, asObject(value))))
  } catch {
    return new Map() // Being written, or damaged: the sessions are read without what it says.
  }
}

function indexed(key: string, entry: Readonly<Record<string, unknown>> | undefined): [string, Indexed][] {
  const session = asText(entry?.sessionId)
  if (session === undefined) return []
  const spawnedBy = asText(entry?.spawnedBy)
  const isExternal = asText(entry?.hookExternalContentSource) !== undefined
  return [[session, { key, ...(spawnedBy && { spawnedBy }), ...(isExternal && { isExternal }) }]]
}

function textOf(path: string, size: number): string {
  const source = openFile(path)
  try {
    const bytes = Buffer.alloc(size)
    return bytes.toString('utf8', 0, source.readAt(0, bytes))
  } finally {
    source.close()
  }
}
