/**
 * The embedded store's file, which may be locked, on a full disk, damaged, taken away while it is used, or not to be opened at all: that is
 * tried again from time to time. It knows nothing of what becomes of what cannot be written.
 */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import { RESULT, sqliteResult } from '../../util/sqlite-result.ts'
import type { EmbeddedStore } from './embedded-store.ts'
import { isDamage, type Left, leave } from './mend.ts'

export interface LocalFile {
  /** To be read from; undefined where it could not be opened yet. */
  readonly store: EmbeddedStore | undefined
  /** Why it cannot be written, in one line; undefined while it can. */
  readonly failure: string | undefined
  /** Whether it is that another program holds it. */
  readonly isLocked: boolean
  /** What `work` gives, with another file where this one proves to be damaged; undefined without a file. Errors: those of the disk. */
  read<Result>(work: (store: EmbeddedStore) => Result): Result | undefined
  /** Whether `work` was done. It is not tried while it is known that the file cannot be written. */
  write(work: (store: EmbeddedStore) => void): boolean
  /** Tries again, where it could not be written, and looks whether it is still there. Takes a second where it is still locked, in which the process does nothing else. */
  save(): void
  close(): void
}

export interface LocalFileOptions {
  readonly file: string
  /** `isDoubted`: it may be damaged. */
  readonly open: (isDoubted: boolean) => EmbeddedStore
  /** Milliseconds between two tries. */
  readonly everyMs: number
  /** Writes what could not be written. Throws where it still cannot be. */
  readonly catchUp: (store: EmbeddedStore) => void
  readonly now: () => Date
  readonly log: (line: string) => void
  /** It can be written again, or cannot any more. */
  readonly onChange: () => void
}

/** One line of a log. */
const REASON_LIMIT = 300

/** Opens it at once. Never throws. */
export function openLocalFile({ file, open, everyMs, catchUp, now, log, onChange }: LocalFileOptions): LocalFile {
  let store: EmbeddedStore | undefined
  let failure: string | undefined
  let isLocked = false
  let isDoubted = false
  /** Of `store`, where its file was taken away. */
  let left: Left | undefined

  function failed(error: unknown): void {
    const isNews = failure === undefined
    failure = printable(reason(error)).slice(0, REASON_LIMIT)
    isLocked = [RESULT.busy, RESULT.locked].some((result) => result === sqliteResult(error))
    isDoubted ||= isDamage(error)
    if (!isNews) return
    log(printable(`memory: cannot keep events in ${file} (${failure}); trying again`))
    onChange()
  }

  function save(): void {
    if (failure === undefined) {
      if (store === undefined || isThere(store)) return
      failed(new Error('it was taken away, or another one lies in its place'))
    }
    try {
      if (store === undefined || isDoubted || !isThere(store) || !works(store)) useAnother()
    } catch (error) {
      failed(error)
      return
    }
    failure = undefined
    isLocked = false
    isDoubted = false
    log(printable(`memory: events are kept in ${file} again`))
    onChange()
  }

  function works(known: EmbeddedStore): boolean {
    try {
      catchUp(known)
      // Nothing may have been left to be written.
      known.touch()
      return true
    } catch {
      return false // The connection may be what is wrong: another one does it, or says why not.
    }
  }

  function useAnother(): void {
    lookForLeft()
    const next = open(isDoubted)
    try {
      // Also where this one has just been put aside, as it is damaged.
      lookForLeft()
      if (left !== undefined) bringOver(left, next)
      catchUp(next)
      next.touch()
    } catch (error) {
      // At least it can be read.
      if (store === undefined) store = next
      else next.close()
      throw error
    }
    store?.close()
    store = next
    left = undefined
  }

  /** What was taken away can still be read by who had opened it. */
  function lookForLeft(): void {
    if (left === undefined && store !== undefined && !isThere(store)) left = leave(store, file, now)
  }

  function bringOver({ rescued, discard }: Left, to: EmbeddedStore): void {
    const count = to.add(rescued)
    discard()
    log(printable(`memory: ${count} event(s) are written to ${file} anew`))
  }

  try {
    store = open(false)
  } catch (error) {
    failed(error)
  }
  // Keeps no process alive.
  const timer = setInterval(save, everyMs).unref()
  return {
    get store() {
      return store
    },
    get failure() {
      return failure
    },
    get isLocked() {
      return isLocked
    },
    read(work) {
      if (store === undefined) return undefined
      try {
        return work(store)
      } catch (error) {
        if (!isDamage(error)) throw error
        failed(error)
        save()
        return work(store)
      }
    },
    write(work) {
      if (store !== undefined && failure === undefined && !isThere(store)) save()
      if (store === undefined || failure !== undefined) return false
      try {
        work(store)
        return true
      } catch (error) {
        failed(error)
        return false
      }
    },
    save,
    close() {
      clearInterval(timer)
      store?.close()
    },
  }
}

function isThere(store: EmbeddedStore): boolean {
  try {
    return store.isThere()
  } catch {
    return false // Where we may not even look there is nothing for us.
  }
}
