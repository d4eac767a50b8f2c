/** Brings written files to the disk, all at once: that costs little more than one of them, where a flush after each write would add up. */
import * as fs from 'node:fs'
import { dirname } from 'node:path'

/**
 * After this a power cut leaves the files as they are now, under their names. What the system will not flush (a folder, on Windows) is
 * left to it, and so is a file that somebody has removed since.
 */
export function flushToDisk(paths: readonly string[]): void {
  for (const path of paths) flush(path, 'r+') // Windows flushes only what is open for writing.
  for (const folder of new Set(paths.map((path) => dirname(path)))) flush(folder, 'r')
}

function flush(path: string, flags: string): void {
  let fd: number | undefined
  try {
    fd = fs.openSync(path, flags)
    fs.fsyncSync(fd)
  } catch {
    // Written, but not promised: an emptied file is written anew by the next run, see `mirror.ts`.
  } finally {
    if (fd !== undefined) fs.closeSync(fd)
  }
}
