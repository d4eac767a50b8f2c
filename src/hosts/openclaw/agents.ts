/** The sessions of every agent, out of its database and out of the files beside it, each once. */
import { join } from 'node:path'
import { reason } from '../../util/errors.ts'
import { child, entries, fileState } from '../directory.ts'
import { withSqliteLog } from '../sqlite-log.ts'
import type { Report } from '../transcript-source.ts'
import { readIndex, sessionFiles } from './files.ts'
import { isHookKey, readWindows, type SessionWindow } from './windows.ts'

export interface AgentSession {
  /** `<agent>/<session>`: sessions are numbered within an agent. */
  readonly id: string
  readonly agent: string
  readonly session: string
  /** The database or the file in which it lies. */
  readonly path: string
  readonly size: number
  readonly modified: number
  readonly key: string
  readonly created: number
  readonly spawnedBy?: string
  readonly isExternal: boolean
  /** Ids of sessions whose first events this one may have taken over. */
  readonly origins: readonly string[]
  readonly title?: string
}

/** A session that was brought into the database is read there: its file is what it was then. */
export function agentSessions(agentsDir: string, report: Report): AgentSession[] {
  const agents = entries(agentsDir, report).filter((entry) => entry.isDirectory())
  return agents.flatMap(({ name }) => {
    const folder = child(agentsDir, name)
    const inside = new Set(entries(folder, report).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])))
    const sessions = new Map<string, AgentSession>()
    for (const found of inside.has('sessions') ? fromFiles(folder, name, report) : []) sessions.set(found.id, found)
    for (const found of inside.has('agent') ? fromDatabase(folder, name, report) : []) sessions.set(found.id, found)
    return [...sessions.values()]
  })
}

function fromDatabase(folder: string, agent: string, report: Report): AgentSession[] {
  const path = join(folder, 'agent', 'openclaw-agent.sqlite')
  if (fileState(path, report) === undefined) return []
  const toSession = ({ events, origins, ...window }: SessionWindow): AgentSession => ({
    ...window,
    id: idOf(agent, window.session),
    agent,
    path,
    size: events,
    origins: origins.map((session) => idOf(agent, session)),
  })
  try {
    return withSqliteLog(path, readWindows).map(toSession)
  } catch (error) {
    report({ path, reason: reason(error) })
    return []
  }
}

function fromFiles(folder: string, agent: string, report: Report): AgentSession[] {
  const files = sessionFiles(folder, report)
  if (files.length === 0) return []
  const index = readIndex(folder, report)
  return files.map(({ session, path, size, modified }) => {
    const { key = '', spawnedBy, isExternal = isHookKey(key) } = index.get(session) ?? {}
    const base = { id: idOf(agent, session), agent, session, path, size, modified, key, created: modified, isExternal, origins: [] }
    return { ...base, ...(spawnedBy && { spawnedBy }) }
  })
}

export function idOf(agent: string, session: string): string {
  return `${agent}/${session}`
}
