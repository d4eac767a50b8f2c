/**
 * What is found of Cowork and what is made of it, for a person who wants to know whether it works: every session is read whole, every
 * record counted under what it is taken for, and nothing is kept.
 */
import { reason } from '../../util/errors.ts'
import type { JsonObject } from '../../util/jsonl.ts'
import type { System } from '../../util/system.ts'
import { isDirectory } from '../directory.ts'
import { type Dialect, readSession } from '../jsonl-session.ts'
import type { SessionRecord, SessionRef } from '../transcript-source.ts'
import type { State } from './classify.ts'
import { coworkRecords, coworkSource, isAudit } from './cowork.ts'
import { isReplay, isSubagents } from './cowork-audit.ts'
import { type CoworkRoot, coworkRoots } from './cowork-roots.ts'

export interface CoworkSurvey {
  /** Every place that was looked in. */
  readonly roots: readonly (CoworkRoot & { readonly exists: boolean; readonly sessions: number })[]
  readonly sessions: readonly CoworkSession[]
  /** Records by what they were taken for: `user messages`, `agent messages`, `tool calls`, `tool results`. */
  readonly recognised: Counts
  /** Records that hold nothing to mine, by why. */
  readonly leftOut: Counts
  readonly badLines: number
  /** Roots, folders and sessions that could not be read. */
  readonly problems: readonly { readonly on: string; readonly reason: string }[]
}

export interface CoworkSession {
  readonly id: string
  readonly path: string
  readonly log: 'audit' | 'transcript'
  readonly records: number
}

export type Counts = Readonly<Record<string, number>>

/** Errors: the reason of `signal` when aborted. */
export async function surveyCowork(system: System, signal?: AbortSignal): Promise<CoworkSurvey> {
  const problems: { on: string; reason: string }[] = []
  const roots: CoworkSurvey['roots'][number][] = []
  const sessions: CoworkSession[] = []
  const recognised: Record<string, number> = {}
  const leftOut: Record<string, number> = {}
  let badLines = 0
  for (const root of coworkRoots(system)) {
    const found = coworkSource(root, system).discover(({ path, reason }) => problems.push({ on: path, reason }))
    roots.push({ ...root, exists: isDirectory(root.path), sessions: found.length })
    for (const session of found) {
      try {
        const { records, bad } = await count(session, system, recognised, leftOut, signal)
        badLines += bad
        sessions.push({ id: session.id, path: session.path, log: isAudit(session) ? 'audit' : 'transcript', records })
      } catch (error) {
        signal?.throwIfAborted()
        problems.push({ on: session.path, reason: reason(error) })
      }
    }
  }
  return { roots, sessions, recognised, leftOut, badLines, problems }
}

async function count(
  session: SessionRef,
  system: System,
  recognised: Record<string, number>,
  leftOut: Record<string, number>,
  signal: AbortSignal | undefined,
): Promise<{ readonly records: number; readonly bad: number }> {
  let isCopy = false
  const records = coworkRecords(session, system, () => {
    isCopy = true
  })
  const counting: Dialect<State> = {
    ...records,
    filter: { skip: () => false, starts: [] }, // What is passed over elsewhere is counted here.
    classify(value, state) {
      isCopy = false
      const taken = records.classify(value, state)
      if (taken.length === 0) add(leftOut, isCopy ? 'copies of another transcript' : whyNothing(value))
      return taken
    },
  }
  let taken = 0
  const emit = (record: SessionRecord): void => {
    add(recognised, kindOf(record))
    taken++
  }
  const { bad } = await readSession(counting, { path: session.path, since: undefined, emit, signal })
  return { records: taken, bad }
}

function kindOf({ kind, role, tool }: SessionRecord): string {
  if (kind === 'tool') return tool?.part === 'call' ? 'tool calls' : 'tool results'
  return role === 'user' ? 'user messages' : 'agent messages'
}

function whyNothing(value: JsonObject): string {
  if (isReplay(value)) return 'replayed prompts'
  if (isSubagents(value) || value.isSidechain === true) return 'the talk of subagents'
  if (value.type === 'user' || value.type === 'assistant') return 'messages without words'
  return `${typeof value.type === 'string' ? value.type : 'unknown'} records`
}

function add(counts: Record<string, number>, what: string): void {
  counts[what] = (counts[what] ?? 0) + 1
}
