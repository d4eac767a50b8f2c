/**
 * A forked thread's rollout begins with its parent's history, stamped anew within moments of the fork. It ends at the first
 * turn that began after the thread did: a turn's id is a UUIDv7 and so holds its time, as does the thread's.
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'

/** Replay is written in one go. What is stamped later than this after the thread began is new, whatever the turns' ids are. */
const REPLAY_TAKES = 5_000

/** Milliseconds since 1970 from a UUIDv7, or undefined. */
export function uuidTime(id: unknown): number | undefined {
  const match = typeof id === 'string' ? /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/i.exec(id) : null
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16)
}

/** Whether this line shows that the parent's history is over. `born` is the thread's own time. */
export function endsReplay(line: JsonObject, born: number): boolean {
  const payload = asObject(line.payload)
  const turn = uuidTime(payload?.turn_id) ?? uuidTime(asObject(payload?.turn_attribution)?.turn_id)
  if (turn !== undefined && turn > born) return true
  const stamped = Date.parse(asText(line.timestamp) ?? '')
  return stamped > born + REPLAY_TAKES
}
