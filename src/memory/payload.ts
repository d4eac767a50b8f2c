/** What a caller commits, checked and settled: every field there, each name once, text that every store can hold. */
import type { FileKey, Provenance, Scope, Where } from '../records.ts'
import { MemuError } from '../util/errors.ts'
import type { CommitPayload, SeenFile } from './backend.ts'

export interface Settled {
  readonly scope: Scope
  readonly files: readonly SettledFile[]
  readonly resources: readonly { readonly url: string; readonly caption: string }[]
  readonly forget: readonly FileKey[]
  readonly seen?: readonly SeenFile[]
}

export interface SettledFile extends FileKey {
  readonly description: string
  readonly content: string
  readonly provenance?: Provenance
}

/**
 * The last of several files with one `(track, name)` or resources with one path wins; a file that is both committed and
 * forgotten is committed. Errors: `invalid_payload`, naming the item; nothing of the payload is then taken.
 */
export function settle(payload: CommitPayload): Settled {
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) throw invalid('the payload', 'is not an object')
  const files = new Map<string, SettledFile>()
  for (const [index, file] of list(payload.recall_files, 'recall_files').entries()) {
    const at = `recall_files[${index}]`
    const { track, name } = key(file, at)
    // Deleted first, so that the last one also takes the last place.
    files.delete(JSON.stringify([track, name]))
    files.set(JSON.stringify([track, name]), {
      track,
      name,
      description: file.description === undefined ? '' : text(file.description, `${at}.description`),
      content: text(file.content, `${at}.content`),
      ...(file.provenance === undefined ? {} : { provenance: file.provenance }),
    })
  }
  const resources = new Map<string, { url: string; caption: string }>()
  for (const [index, resource] of list(payload.resource, 'resource').entries()) {
    const url = filled(resource.url, `resource[${index}].url`)
    resources.delete(url)
    resources.set(url, { url, caption: filled(resource.caption, `resource[${index}].caption`) })
  }
  const forget = new Map<string, FileKey>()
  for (const [index, item] of list(payload.forget, 'forget').entries()) {
    const { track, name } = key(item, `forget[${index}]`)
    const id = JSON.stringify([track, name])
    if (!files.has(id)) forget.set(id, { track, name })
  }
  return {
    scope: scopeOf(payload.user),
    files: [...files.values()],
    resources: [...resources.values()],
    forget: [...forget.values()],
    seen: list(payload.seen, 'seen').map((item, index) => ({ ...key(item, `seen[${index}]`), version: item.version ?? null })),
  }
}

/** An absent part of a scope is the empty string. */
export function scopeOf(where: Where | undefined): Scope {
  return {
    user_id: where?.user_id === undefined ? '' : text(where.user_id, 'user.user_id'),
    agent_id: where?.agent_id === undefined ? '' : text(where.agent_id, 'user.agent_id'),
  }
}

function key(item: { readonly track?: string; readonly name: string }, at: string): FileKey {
  if (typeof item !== 'object' || item === null) throw invalid(at, 'is not an object')
  return {
    track: item.track === undefined ? 'memory' : filled(item.track, `${at}.track`),
    name: filled(item.name, `${at}.name`),
  }
}

function list<T>(items: readonly T[] | undefined, at: string): readonly T[] {
  if (items === undefined || items === null) return []
  if (!Array.isArray(items)) throw invalid(at, 'is not a list')
  return items
}

function filled(value: unknown, at: string): string {
  const found = text(value, at)
  if (found.trim() === '') throw invalid(at, 'is blank')
  return found
}

/** Half a surrogate pair and NUL become U+FFFD: neither survives in every store, and SQLite's interface would cut the text at a NUL. */
function text(value: unknown, at: string): string {
  if (typeof value !== 'string') throw invalid(at, value === undefined ? 'is missing' : 'is not a string')
  return value.replaceAll('\0', '\ufffd').replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, '\ufffd')
}

function invalid(at: string, why: string): MemuError {
  return new MemuError('invalid_payload', `Nothing was committed: ${at} ${why}.`, { exit: 2 })
}
