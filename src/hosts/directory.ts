/** Scanning a host's log directory: entries and sizes only, no file is opened, no link is followed. */
import * as fs from 'node:fs'
import { dirname, extname, sep } from 'node:path'
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

const NOT_REGULAR = 'it is not a regular file'

/** Size and time of change of a regular file; undefined where it is gone, and with a report where something else is in its place. */
export function fileState(path: string, report: Report): FileState | undefined {
  const found = look(path, report)
  if (found?.isFile()) return { size: found.size, modified: found.mtimeMs }
  if (found !== undefined) report({ path, reason: NOT_REGULAR })
  return undefined
}

/**
 * Whether an entry that has the name of a log is one. A link or a pipe under such a name is reported, since what was said there is not
 * read; a folder may be called what it likes, and "latest.jsonl" for a log beside it hides nothing.
 */
export function isLogFile(entry: fs.Dirent, path: string, report: Report): boolean {
  if (entry.isFile()) return true
  if (!entry.isDirectory() && !isSecondName(path)) report({ path, reason: NOT_REGULAR })
  return false
}

function isSecondName(path: string): boolean {
  try {
    const target = fs.realpathSync(path)
    return dirname(target) === fs.realpathSync(dirname(path)) && extname(target) === extname(path) && fs.statSync(target).isFile()
  } catch {
    return false // A link to nowhere.
  }
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

/** For looking at something by its name in a folder: where that fails, the folder cannot be entered, and that is what is wrong. */
export function inFolder(path: string, report: Report): Report {
  return (problem) => report(problem.reason === NOT_REGULAR ? problem : { path, reason: problem.reason })
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
