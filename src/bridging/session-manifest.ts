/**
 * How far each session was mined: `.session_manifest.<host>.json`, and beside it `….pending`, what a prepared run will have
 * mined once its commit succeeds. Only a commit moves the one to the other.
 */
import * as fs from 'node:fs'
import { basename } from 'node:path'
import type { SessionRef, SourceCursor } from '../hosts/transcript-source.ts'
import { MemuError } from '../util/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../util/fs.ts'

export interface SessionEntry {
  /** Where the source goes on; absent where nothing was mined yet. */
  readonly cursor?: SourceCursor
  /** The file as it was when it was last looked at: equal ones are not opened again. */
  readonly size: number
  readonly modified: number
  /** ISO time of the run that mined it last. */
  readonly mined: string
  /** Tool records behind its last words wait for the words that follow. */
  readonly waits?: true
  /** More was new than one slice may hold: the next run takes the records behind the cursor whose keys are not known. */
  readonly hasMore?: true
  /** Not one record of it was understood so far: nothing was said and nothing done that its source knows. */
  readonly silent?: true
  /** Calls of our own programs whose results may still come, see `SessionGuard.openCalls`. */
  readonly openCalls?: readonly string[]
  /** True: passed over as a run of ours. False: the user has taken that back, and a mark in its prompt counts no more. */
  readonly own?: boolean
  /** Of which log it is, see `missing-sessions.ts`. */
  readonly log?: string
  /** ISO time of the first run that looked through that log and did not find the session any more. */
  readonly missing?: string
}

export interface SessionManifest {
  readonly sessions: ReadonlyMap<string, SessionEntry>
  /** Lines seen by the Python memU, by path below the session directory; used once a session, then dropped. */
  readonly python: ReadonlyMap<string, number>
}

export interface LoadedManifest extends SessionManifest {
  /** Set where the file, or a part of it, could not be used: a sentence for the report. */
  readonly notice?: string
}

const VERSION = 1

/**
 * Reads the manifest, ours or the Python memU's. One that cannot be read is kept aside and a new one begun. Errors:
 * `manifest_newer` (exit 2) where a newer version wrote it: beginning anew would mine every session again.
 */
export function loadSessionManifest(path: string): LoadedManifest {
  const text = readTextIfExists(path)
  if (text === undefined) return { sessions: new Map(), python: new Map() }
  const parsed = parseManifest(path, text)
  if (parsed !== undefined) return parsed.damaged === 0 ? parsed : { ...parsed, notice: partNotice(path, parsed.damaged) }
  const aside = keepAside(path)
  return {
    sessions: new Map(),
    python: new Map(),
    notice: `${path} could not be read as a session manifest; it was kept as ${basename(aside)}. ${READ_ANEW}`,
  }
}

const READ_ANEW = 'Sessions are read from their start again; what was mined of them is known and left out.'

function partNotice(path: string, damaged: number): string {
  return `${damaged} of the sessions in ${path} could not be read. ${READ_ANEW}`
}

export function saveSessionManifest(path: string, manifest: SessionManifest): void {
  const python = manifest.python.size === 0 ? {} : { python: Object.fromEntries(manifest.python) }
  writeFileAtomic(path, `${JSON.stringify({ version: VERSION, sessions: Object.fromEntries(manifest.sessions), ...python })}\n`)
}

/** A session that nobody has spoken in for so long is over: what its agent did last is mined without words. */
const LONGEST_WAIT_MS = 3 * 24 * 3600 * 1000

/** Whether the file is as it was when it was last looked at, nothing of it was left over, and nothing in it has waited too long. */
export function isUnchanged(entry: SessionEntry | undefined, session: SessionRef, now: Date): boolean {
  // What is ours does not come this far: the user has taken it back.
  if (entry === undefined || entry.hasMore === true || entry.own === true) return false
  return entry.size === session.size && entry.modified === session.modified && !hasWaitedLong(entry, now)
}

/** Whether the words that its last tool records wait for will not come any more. */
export function hasWaitedLong(entry: SessionEntry | undefined, now: Date): boolean {
  return entry?.waits === true && now.getTime() - Date.parse(entry.mined) > LONGEST_WAIT_MS
}

/**
 * How many non-blank lines of a session the Python memU has read. Its key is the path below
 * the session directory, which an archived or moved file no longer has: then the file's name decides.
 */
export function pythonLines(manifest: SessionManifest, sessionPath: string): { readonly key: string; readonly lines: number } | undefined {
  if (manifest.python.size === 0) return undefined
  const path = sessionPath.replaceAll('\\', '/')
  for (const [key, lines] of manifest.python) {
    if (path === key || path.endsWith(`/${key}`)) return { key, lines }
  }
  const named = [...manifest.python].filter(([key]) => key.split('/').at(-1) === path.split('/').at(-1))
  const [only] = named
  return only !== undefined && named.length === 1 ? { key: only[0], lines: only[1] } : undefined
}

interface ParsedManifest extends SessionManifest {
  /** How many entries could not be read. */
  readonly damaged: number
}

function parseManifest(path: string, text: string): ParsedManifest | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isObject(value)) return undefined
  if (!('version' in value)) return parsePython(value)
  refuseNewer(path, value.version, VERSION)
  if (value.version !== VERSION || !isObject(value.sessions)) return undefined
  const entries = Object.entries(value.sessions)
  const sessions = new Map<string, SessionEntry>()
  for (const [id, entry] of entries) if (isEntry(entry)) sessions.set(id, entry)
  return { sessions, python: isObject(value.python) ? lineCounts(value.python) : new Map(), damaged: entries.length - sessions.size }
}

/** `{"<path>": {"lines": N, …}}`, in early versions `{"<path>": N}`. */
function parsePython(value: Record<string, unknown>): ParsedManifest | undefined {
  const python = lineCounts(value)
  return python.size === Object.keys(value).length ? { sessions: new Map(), python, damaged: 0 } : undefined
}

function lineCounts(value: Record<string, unknown>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const [key, entry] of Object.entries(value)) {
    const lines = isObject(entry) ? entry.lines : entry
    if (typeof lines === 'number' && Number.isSafeInteger(lines) && lines >= 0) counts.set(key, lines)
  }
  return counts
}

export function isEntry(value: unknown): value is SessionEntry {
  return (
    isObject(value) &&
    typeof value.size === 'number' &&
    typeof value.modified === 'number' &&
    typeof value.mined === 'string' &&
    (value.cursor === undefined || isObject(value.cursor)) &&
    (value.openCalls === undefined || (Array.isArray(value.openCalls) && value.openCalls.every((call) => typeof call === 'string'))) &&
    (value.own === undefined || typeof value.own === 'boolean') &&
    (value.log === undefined || typeof value.log === 'string') &&
    (value.missing === undefined || typeof value.missing === 'string')
  )
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Throws `manifest_newer` where a file of the tree was written by a newer version of this program. */
export function refuseNewer(path: string, version: unknown, known: number): void {
  if (typeof version !== 'number' || version <= known) return
  throw new MemuError('manifest_newer', `${path} has version ${version}; this program knows up to ${known}.`, {
    hint: 'Update memu: npm install -g memu@latest',
    exit: 2,
  })
}

/** Renames the file to the first free `<path>.bad-N`: nothing is overwritten. */
export function keepAside(path: string): string {
  for (let n = 1; ; n++) {
    const aside = `${path}.bad-${n}`
    if (fs.existsSync(aside)) continue
    fs.renameSync(path, aside)
    return aside
  }
}
