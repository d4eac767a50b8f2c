/**
 * OpenClaw's sessions: `agents/<agent>/agent/openclaw-agent.sqlite`, and the files that it kept before it had a database. Turns on a
 * branch that was left, or taken back, are mined like others; what a fork or a rewind took over is mined where it was said.
 */
import { basename, extname, join } from 'node:path'
import type { Decompress } from 'fzstd'
import type { System } from '../../util/system.ts'
import { isDirectory } from '../directory.ts'
import { type EntryState, type EntryTree, entryDialect, entryTime } from '../entry-tree/dialect.ts'
import { asObject } from '../fields.ts'
import { readSession } from '../jsonl-session.ts'
import { isSubagent } from '../subagent.ts'
import type { ReadResult, Report, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { type AgentSession, agentSessions, idOf } from './agents.ts'
import { humanText } from './human-text.ts'
import { isInternalKey, jobOf, owners } from './lineage.ts'
import { entryTimes } from './origins.ts'
import { readEvents } from './rows.ts'

export function openclawSource(sessionDir: string, system: System): TranscriptSource {
  // The folder of all agents, or the one above it, which is what OpenClaw's own settings name.
  const agentsDir = isDirectory(join(sessionDir, 'agents')) ? join(sessionDir, 'agents') : sessionDir
  let known: ReadonlyMap<string, AgentSession> | undefined

  function discover(report: Report): SessionRef[] {
    const sessions = agentSessions(agentsDir, report)
    known = new Map(sessions.map((session) => [session.id, session]))
    const ownerOf = owners(sessions)
    return sessions.map((session) => {
      const { id, path, size, modified } = session
      const job = jobOf(session.key, session.session)
      return { id, owner: ownerOf(session), path, size, modified, ...(job !== undefined && { job }) }
    })
  }

  function lookUp(id: string): AgentSession | undefined {
    // Unreadable directories were reported by the caller's own scan.
    if (known === undefined) discover(() => {})
    return known?.get(id)
  }

  function timesOf(id: string, now: number, decompressor: typeof Decompress): ReadonlySet<string>[] {
    const origin = lookUp(id)
    return origin === undefined ? [] : [entryTimes(origin, now, decompressor)]
  }

  return {
    exists: () => isDirectory(agentsDir),
    discover,
    async read({ id, owner, path }, since, emit, signal) {
      const now = system.now().getTime()
      const found = lookUp(id)
      const { Decompress } = await import('fzstd')
      let taken: readonly ReadonlySet<string>[] | undefined
      const [agent = '', session = ''] = [id.slice(0, id.indexOf('/')), id.slice(id.indexOf('/') + 1)]
      const tree: EntryTree = {
        isSubagent: isSubagent({ id, owner }),
        humanText,
        ...(found?.isExternal && { isPerson: isOwner }),
        isCopy(entry, state) {
          taken ??= originsOf(state, agent, found).flatMap((origin) => (origin === id ? [] : timesOf(origin, now, Decompress)))
          return taken.some((times) => times.has(entryTime(entry, now) ?? ''))
        },
        now,
      }
      const result =
        extname(path) === '.jsonl'
          ? await readSession(entryDialect(tree), { path, since, emit, signal })
          : await readEvents(path, session, tree, { since, emit, signal })
      return found === undefined ? result : withFacts(result, found)
    },
  }
}

/** In a session that a mail or a web hook began, only the owner's messages are a person's own. */
function isOwner(message: Readonly<Record<string, unknown>>): boolean {
  return asObject(message.__openclaw)?.senderIsOwner === true
}

/** The sessions that the database and the header name, the latter by an id, a file, or `<file>#<id>`. */
function originsOf({ parent = '' }: EntryState, agent: string, found: AgentSession | undefined): string[] {
  const named = [parent, basename(parent.replaceAll('\\', '/'), '.jsonl'), ...(parent.match(UUID) ?? [])]
  return [...(found?.origins ?? []), ...named.map((session) => idOf(agent, session))]
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

function withFacts(result: ReadResult, { title, key }: AgentSession): ReadResult {
  const { facts } = result
  const internal = isInternalKey(key)
  return { ...result, facts: { ...facts, ...(title && !facts.title && { title }), ...(internal && { internal }) } }
}
