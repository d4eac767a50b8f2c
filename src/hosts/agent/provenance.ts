/** Marks by which programs tell what a person or the agent said in this conversation from what only looks so. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject } from '../fields.ts'

/** Set to true (or 1) on summaries, reminders, copies, text of the program's own. */
const MARKS = [
  ...['isMeta', 'isSidechain', 'isVirtual', 'isCompactSummary', 'isVisibleInTranscriptOnly', 'isApiErrorMessage', 'isSynthetic'],
  ...['isAutopilotContinuation', 'synthetic', 'hidden', 'summary', 'compaction_output', '_compressed_summary'],
]
/** Name the call that spawned the one that speaks. */
const SPAWNED = ['parentToolCallId', 'parent_tool_use_id']
/** Where a kind of origin is named, these are a person. */
const PERSON: ReadonlySet<unknown> = new Set(['human', 'user', 'external_user', 'real_user'])
const AGENT: ReadonlySet<unknown> = new Set(['assistant_output', 'assistant'])

export function isSpoken(object: JsonObject, role: 'user' | 'assistant'): boolean {
  if (MARKS.some((mark) => object[mark] === true || object[mark] === 1)) return false
  if (SPAWNED.some((name) => typeof object[name] === 'string')) return false
  if (object.model === '<synthetic>') return false
  return [object.origin, object.provenance].every((named) => {
    const kind = typeof named === 'string' ? named : asObject(named)?.kind
    return kind === undefined || PERSON.has(kind) || (role === 'assistant' && AGENT.has(kind))
  })
}

/** A copy of an earlier record that was shown again. */
export function isReplay(record: JsonObject): boolean {
  return record.isReplay === true
}
