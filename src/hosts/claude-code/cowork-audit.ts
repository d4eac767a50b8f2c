/**
 * A line of Cowork's `audit.jsonl`: a record of Claude Code's stream in an envelope of its own, signed in a chain. What it holds is told
 * by Claude Code's dialect, once the envelope is off.
 */
import type { JsonObject } from '../../util/jsonl.ts'
import type { Dialect } from '../jsonl-session.ts'
import { claudeCodeDialect, type State } from './classify.ts'

/** Line types that hold nothing for a miner: the life of the process, and results that repeat the last answer. */
const NOISE = /^\{"type":"(?:system|result|command_lifecycle|rate_limit_event|stream_event)"/

export function coworkDialect(now: number): Dialect<State> {
  const claude = claudeCodeDialect({ isSubagent: false, copies: () => () => false, now })
  return {
    ...claude,
    filter: {
      skip: (head) => NOISE.test(head.toString('latin1')),
      starts: ['{"type":"user","', '{"type":"assistant","'].map((start) => Buffer.from(start)),
    },
    isRecord: ({ type, session_id, _audit_timestamp }) =>
      typeof type === 'string' && (typeof session_id === 'string' || typeof _audit_timestamp === 'string'),
    classify: (value, state) => (isReplay(value) ? [] : claude.classify(unwrapped(value), state)),
  }
}

/** The same prompt once more, as the program inside got it. */
export function isReplay({ isReplay: marked }: JsonObject): boolean {
  return marked === true
}

/** Written by a subagent, or by the agent to one. */
export function isSubagents({ parent_tool_use_id: parent }: JsonObject): boolean {
  return parent !== undefined && parent !== null
}

/** `cwd` is left out: it is a path inside Cowork's machine. */
function unwrapped({ cwd: _, ...record }: JsonObject): JsonObject {
  return { ...record, timestamp: record.timestamp ?? record._audit_timestamp, isSidechain: isSubagents(record) }
}
