/** Scanning a host's log directory: entries and sizes only, no file is opened, no link is followed. */
import * as fs from 'node:fs'
import { sep } from 'node:path'
import { reason, systemCode } from '../util/errors.ts'
import type { Report, SessionRef } from './transcript-source.ts'

/** The entries of a directory; none where it does not exist, and none with a report where it cannot be read. */
export function entries(path: string, report: Report): fs.Dirent[] {
  try {
    return fs.readdirSync(path, { withFileTypes: true })
  } catch (error) {
    if (!isAbsent(error)) report({ path, reason: reason(error) })
    return []
  }
}

export interface FileState {
  readonly size: number
  readonly modified: number
}

/** Size and time of change of a regular file, or undefined where it is gone or is none. */
export function fileState(path: string, report: Report): FileState | undefined {
  const found = look(path, report)
  return found?.isFile() ? { size: found.size, modified: found.mtimeMs } : undefined
}

/**
 * Adds what was found under its key, unless what is there is better: of one session at two places (its project was moved, it was copied or
 * put away) by default what was written last.
 */
export function keepBetter<T extends { readonly modified: number }>(
  kept: Map<string, T>,
  key: string,
  found: T,
  isBetter: (found: T, known: T) => boolean = (found, known) => found.modified > known.modified,
): void {
  const known = kept.get(key)
  if (known === undefined || isBetter(found, known)) kept.set(key, found)
}

/** The same with the file of a session, if it still is one. */
export function keepFile(
  sessions: Map<string, SessionRef>,
  found: Pick<SessionRef, 'id' | 'owner' | 'path'>,
  report: Report,
  isBetter?: (found: SessionRef, known: SessionRef) => boolean,
): void {
  const state = fileState(found.path, report)
  if (state !== undefined) keepBetter(sessions, found.id, { ...found, ...state }, isBetter)
}

/** Whether a folder lies inside a log, as `Dirent.isDirectory` says of what was listed: a link is none. */
export function isInnerFolder(path: string, report: Report): boolean {
  return look(path, report)?.isDirectory() ?? false
}

function look(path: string, report: Report): fs.Stats | undefined {
  try {
    return fs.lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (!isAbsent(error)) report({ path, reason: reason(error) })
    return undefined
  }
}

/** For looking at something by its name in a folder: where the folder cannot be entered, that is what is wrong. */
export function inFolder(path: string, report: Report): Report {
  return ({ reason }) => report({ path, reason })
}

/** `join` for an entry's own name, which needs no normalising: a scan does it for every file of the log. */
export function child(directory: string, name: string): string {
  return `${directory}${sep}${name}`
}

/**
 * Whether a host's own folder is at `path`: a directory or a link to one, since people move whole logs. A place that cannot be looked at
 * counts as one, so that reading it says why.
 */
export function isDirectory(path: string): boolean {
  try {
    return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
  } catch (error) {
    return !isAbsent(error)
  }
}

/** Gone between being listed and being looked at: a host may delete or move its logs at any time. */
function isAbsent(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
