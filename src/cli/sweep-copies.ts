/**
 * Takes back the readable copies that `retrieve` left of files which the store has no more, or has in another version: what was
 * forgotten must not stay readable there. Runs after commands that change the store, never on the path of a prompt.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { allFiles } from '../memory/all-files.ts'
import type { MemoryBackend } from '../memory/backend.ts'
import { reason } from '../util/errors.ts'
import { discardFile, readTextIfExists } from '../util/fs.ts'
import { printable } from '../util/printable.ts'
import type { Io } from './io.ts'
import { copiesDirectory, copyPath, copyText } from './retrieve/copies.ts'

/** Never fails: the change is stored. What could not be removed is said on stderr. */
export async function sweepCopies(io: Pick<Io, 'system' | 'err'>, backend: Pick<MemoryBackend, 'listAllRecallFiles'>): Promise<void> {
  const directory = copiesDirectory(io.system)
  try {
    const began = Date.now()
    const stale = copiesIn(directory)
    if (stale.size === 0) return
    for await (const file of allFiles(backend)) {
      const path = copyPath(directory, file)
      if (stale.has(path) && readTextIfExists(path) === copyText(file)) stale.delete(path)
    }
    for (const path of stale) if (isBefore(path, began)) discardFile(path)
  } catch (error) {
    io.err(`warning: old copies may be left in ${printable(directory)}: ${printable(reason(error))}\n`)
  }
}

/** Also what a killed `retrieve` left half written. Links are not followed. */
function copiesIn(directory: string): Set<string> {
  const entries = fs.existsSync(directory) ? fs.readdirSync(directory, { withFileTypes: true }) : []
  return new Set(
    entries
      .filter((track) => track.isDirectory())
      .flatMap(({ name: track }) =>
        fs
          .readdirSync(join(directory, track), { withFileTypes: true })
          .filter((entry) => entry.isFile() && /\.(?:md|tmp)$/.test(entry.name))
          .map(({ name }) => join(directory, track, name)),
      ),
  )
}

/** A copy that a search writes meanwhile is newer than the listing, and somebody is about to read it. */
function isBefore(path: string, time: number): boolean {
  const found = fs.statSync(path, { throwIfNoEntry: false })
  return found !== undefined && found.mtimeMs < time
}
