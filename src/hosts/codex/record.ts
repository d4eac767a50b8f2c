/** What tells a line of a Codex rollout from other programs' lines, which have ids, times and types as well. */
import { asObject } from '../fields.ts'

/** Types of envelopes. Others come and go; one that is known is enough to know a rollout. */
const ENVELOPES = new Set(['session_meta', 'turn_context', 'response_item', 'event_msg', 'compacted'])
/** All that the first line of the oldest rollouts ever held. */
const OLD_META = new Set(['id', 'timestamp', 'instructions', 'git', 'cwd', 'originator', 'cli_version'])
const OLD_PARTS = new Set(['input_text', 'output_text', 'input_image'])

export function isRecord(record: Readonly<Record<string, unknown>>): boolean {
  const { type, payload, timestamp, record_type } = record
  if (typeof timestamp === 'string' && asObject(payload) !== undefined) return type === undefined || ENVELOPES.has(String(type))
  return record_type === 'state' || isOldMeta(record) || isOldMessage(record)
}

/** `instructions` stands there also where there are none. */
function isOldMeta(record: Readonly<Record<string, unknown>>): boolean {
  const { id, timestamp } = record
  return (
    typeof id === 'string' &&
    typeof timestamp === 'string' &&
    'instructions' in record &&
    Object.keys(record).every((key) => OLD_META.has(key))
  )
}

/** Early versions wrote the payloads alone. */
function isOldMessage({ type, role, content, sessionId }: Readonly<Record<string, unknown>>): boolean {
  if (type !== 'message' || typeof role !== 'string' || !Array.isArray(content) || sessionId !== undefined) return false
  return content.every((part) => OLD_PARTS.has(String(asObject(part)?.type)))
}
