/** Sessions that are in the manifest and are found no longer. Each is missed only in the log in which it once was. */
import * as fs from 'node:fs'
import type { SessionRef } from '../hosts/transcript-source.ts'
import { shortHash } from './mined-keys.ts'
import type { SessionEntry, SessionManifest } from './session-manifest.ts'

/** Hosts delete old logs. What was mined of them is remembered for a while, as a log may have been away with its disk. */
const REMEMBERED_MS = 365 * 24 * 3600 * 1000

/** One look through a log. */
export interface Scan {
  readonly found: readonly SessionRef[]
  /** Which log it was. */
  readonly log: string
  /** False where a part of it could not be looked at: what was not found may lie there. */
  readonly isWhole: boolean
}

/** A short name for the folder or database that a source was opened with. */
export function logName(sessionDir: string): string {
  return shortHash(realPath(sessionDir))
}

/**
 * Notes which sessions of that log are missing, and forgets those that have been for a year; `forgotten` are their ids. The manifest is the
 * same one where nothing changes.
 */
export function withoutMissing(
  manifest: SessionManifest,
  { found, log, isWhole }: Scan,
  now: Date,
): { readonly manifest: SessionManifest; readonly forgotten: readonly string[] } {
  const { sessions, python } = manifest
  const there = new Set(found.map(({ id }) => id))
  const after = new Map<string, SessionEntry>()
  const forgotten: string[] = []
  let changed = false
  for (const [id, entry] of sessions) {
    const { missing, ...present } = entry
    const isMissed = isWhole && entry.log === log && !there.has(id)
    if (there.has(id) && (missing !== undefined || entry.log === undefined)) after.set(id, { log, ...present })
    else if (isMissed && missing === undefined) after.set(id, { ...entry, missing: now.toISOString() })
    else if (isMissed && !isRemembered(missing, now)) forgotten.push(id)
    else after.set(id, entry)
    changed ||= after.get(id) !== entry
  }
  return { manifest: changed ? { sessions: after, python } : manifest, forgotten }
}

function isRemembered(missing: string | undefined, now: Date): boolean {
  return missing !== undefined && now.getTime() - Date.parse(missing) <= REMEMBERED_MS
}

function realPath(path: string): string {
  try {
    return fs.realpathSync(path)
  } catch {
    return path // Not there any more: then it is known by the name that it was given.
  }
}
