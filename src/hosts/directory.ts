/** Scanning a host's log directory: entries and sizes only, no file is opened, no link is followed. */
import * as fs from 'node:fs'
import { sep } from 'node:path'
import { reason, systemCode } from '../util/errors.ts'
import type { Report } from './transcript-source.ts'

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
  try {
    const stat = fs.lstatSync(path, { throwIfNoEntry: false })
    return stat?.isFile() ? { size: stat.size, modified: stat.mtimeMs } : undefined
  } catch (error) {
    if (!isAbsent(error)) report({ path, reason: reason(error) })
    return undefined
  }
}

/** `join` for an entry's own name, which needs no normalising: a scan does it for every file of the log. */
export function child(directory: string, name: string): string {
  return `${directory}${sep}${name}`
}

/** Whether there is a directory (or a link to one) at `path`. */
export function isDirectory(path: string): boolean {
  return fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}

/** Gone between being listed and being looked at: a host may delete or move its logs at any time. */
function isAbsent(error: unknown): boolean {
  const code = systemCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
