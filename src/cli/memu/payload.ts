/** Reads a commit payload that a program or a person wrote: every mistake is named with its place. */
import type { CommitPayload } from '../../memory/backend.ts'
import { MemuError, reason } from '../../util/errors.ts'
import { hostCommand } from '../host-command.ts'

const KEYS = ['recall_files', 'resource', 'forget', 'user']

/** What people who have edited a file want of `commit`. */
export const EDITED_FILES = `To store edited memory files, run ${hostCommand('commit')}.`

/** Errors: `invalid_payload` (exit 2). Keys inside a file or resource that we do not know are left to the engine. */
export function parsePayload(text: string): CommitPayload {
  const payload = object(parseJson(text), 'The payload')
  for (const key of Object.keys(payload)) if (!KEYS.includes(key)) throw invalid(`${key} is unknown; known are ${KEYS.join(', ')}`)
  for (const [file, at] of items(payload, 'recall_files')) {
    requireText(file, 'name', at, 'required')
    requireText(file, 'content', at, 'required')
    requireText(file, 'track', at)
    requireText(file, 'description', at)
  }
  for (const [resource, at] of items(payload, 'resource')) {
    requireText(resource, 'url', at, 'required')
    requireText(resource, 'caption', at, 'required')
  }
  for (const [file, at] of items(payload, 'forget')) {
    requireText(file, 'track', at, 'required')
    requireText(file, 'name', at, 'required')
  }
  if (payload.user !== undefined) {
    const user = object(payload.user, 'user')
    requireText(user, 'user_id', 'user')
    requireText(user, 'agent_id', 'user')
  }
  return payload as CommitPayload
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''))
  } catch (error) {
    throw invalid(`it is not JSON: ${reason(error)}`, EDITED_FILES)
  }
}

function* items(payload: Record<string, unknown>, key: string): Generator<[Record<string, unknown>, string]> {
  const list = payload[key] ?? []
  if (!Array.isArray(list)) throw invalid(`${key} has to be a list`)
  for (const [index, item] of list.entries()) yield [object(item, `${key}[${index}]`), `${key}[${index}]`]
}

function object(value: unknown, at: string): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw invalid(`${at} has to be an object`)
}

function requireText(item: Record<string, unknown>, key: string, at: string, required?: 'required'): void {
  if (typeof item[key] === 'string' || (required === undefined && item[key] === undefined)) return
  throw invalid(`${at}.${key} has to be a string`)
}

function invalid(what: string, hint = ''): MemuError {
  return new MemuError('invalid_payload', `This cannot be committed: ${what}.`, {
    hint: `${hint} memu commit --help shows the form of a payload. Nothing was written.`.trim(),
    exit: 2,
  })
}
