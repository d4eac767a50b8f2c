/** Opens the events' file also where it is damaged: that one is put aside, and what can be read of it is brought into a new one. */
import { lstatSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { reason } from '../../util/errors.ts'
import { RESULT, sqliteResult } from '../../util/sqlite-result.ts'
import { DamagedFile, FILES } from './embedded-database.ts'
import type { EmbeddedStore } from './embedded-store.ts'
import type { Rescued } from './rescue.ts'

/** What no further try cures. */
export function isDamage(error: unknown): boolean {
  const result = sqliteResult(error)
  return error instanceof DamagedFile || result === RESULT.corrupt || result === RESULT.notadb
}

export interface MendOptions {
  readonly file: string
  readonly open: (file: string) => EmbeddedStore
  readonly now: () => Date
  readonly log: (line: string) => void
}

/** `isDoubted`: all of it is looked at. Errors: as those of `open`, but for damage. */
export function openMended({ file, open, now, log }: MendOptions, isDoubted: boolean): EmbeddedStore {
  try {
    return openSound(file, open, isDoubted)
  } catch (error) {
    if (!isDamage(error)) throw error
    const aside = asideName(file, now())
    moveAside(file, aside)
    log(`memory: ${file} is damaged (${reason(error)}); it lies in ${aside} from now on`)
    const store = open(file)
    log(`memory: ${bringOver(aside, open, store)} event(s) could be read of it and are kept`)
    return store
  }
}

function openSound(file: string, open: MendOptions['open'], isDoubted: boolean): EmbeddedStore {
  const store = open(file)
  try {
    if (isDoubted) store.check()
    return store
  } catch (error) {
    store.close()
    throw error
  }
}

export interface Left {
  readonly rescued: Rescued
  /** All of it has another place: what was put aside goes, where it could be read whole. */
  discard(): void
}

/** Of a file that was taken away, or a part of it, while it is open: what it holds, after which its name is free. Errors: the file system's. */
export function leave(store: EmbeddedStore, file: string, now: () => Date): Left {
  const aside = asideName(file, now())
  const rescued = store.rescue()
  store.putAside(aside)
  return {
    rescued,
    discard() {
      if (rescued.isWhole) for (const end of FILES) rmSync(aside + end, { force: true })
    },
  }
}

/** Deletes all that was ever put aside. Errors: the file system's. */
export function discardDamaged(file: string): void {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) if (name.startsWith(basename(file) + ASIDE)) rmSync(join(folder, name), { force: true })
}

const ASIDE = '.damaged-'

function asideName(file: string, time: Date): string {
  return `${file}${ASIDE}${time.toISOString().replaceAll(':', '-')}`
}

/** The file itself last: what SQLite keeps beside it must not lie beside another one. */
function moveAside(file: string, aside: string): void {
  for (const end of [...FILES].reverse()) {
    if (lstatSync(file + end, { throwIfNoEntry: false }) !== undefined) renameSync(file + end, aside + end)
  }
}

function bringOver(from: string, open: MendOptions['open'], to: EmbeddedStore): number {
  let damaged: EmbeddedStore | undefined
  try {
    damaged = open(from)
    return to.add(damaged.rescue())
  } catch {
    return 0 // Nothing of it can be read.
  } finally {
    damaged?.close()
  }
}
