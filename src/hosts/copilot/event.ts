import type { JsonObject } from '../../util/jsonl.ts'
import { asObject } from '../fields.ts'

/** Whether a JSON line is an event of a Copilot CLI session. */
export function isEvent({ id, type, data }: JsonObject): boolean {
  return typeof id === 'string' && typeof type === 'string' && asObject(data) !== undefined
}
