/**
 * The embedded store's file, which may be locked, on a full disk, or not to be opened at all: that is tried again from time to time. It
 * knows nothing of what becomes of what cannot be written.
 */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { EmbeddedStore } from './embedded-store.ts'

export interface LocalFile {
  /** To be read from; undefined where it could not be opened yet. */
  readonly store: EmbeddedStore | undefined
  /** Why it cannot be written, in one line; undefined while it can. */
  readonly failure: string | undefined
  /** Whether `work` was done. It is not tried while it is known that the file cannot be written. */
  write(work: (store: EmbeddedStore) => void): boolean
  /** Tries again, where it could not be written. Takes a second where it is still locked, in which the process does nothing else. */
  save(): void
  close(): void
}

export interface LocalFileOptions {
  readonly file: string
  readonly open: () => EmbeddedStore
  /** Milliseconds between two tries. */
  readonly everyMs: number
  /** Writes what could not be written. Throws where it still cannot be. */
  readonly catchUp: (store: EmbeddedStore) => void
  readonly log: (line: string) => void
  /** It can be written again, or cannot any more. */
  readonly onChange: () => void
}

/** One line of a log. */
const REASON_LIMIT = 300

/** Opens it at once. Never throws. */
export function openLocalFile({ file, open, everyMs, catchUp, log, onChange }: LocalFileOptions): LocalFile {
  let store: EmbeddedStore | undefined
  let failure: string | undefined
  let timer: NodeJS.Timeout | undefined

  function failed(error: unknown): void {
    const isNews = failure === undefined
    failure = printable(reason(error)).slice(0, REASON_LIMIT)
    // Keeps no process alive.
    clearTimeout(timer)
    timer = setTimeout(save, everyMs).unref()
    if (!isNews) return
    log(printable(`memory: cannot keep events in ${file} (${failure}); trying again`))
    onChange()
  }

  function save(): void {
    if (failure === undefined) return
    try {
      if (store === undefined || !works(store)) useAnother()
    } catch (error) {
      failed(error)
      return
    }
    clearTimeout(timer)
    failure = undefined
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
    const next = open()
    try {
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
  }

  try {
    store = open()
  } catch (error) {
    failed(error)
  }
  return {
    get store() {
      return store
    },
    get failure() {
      return failure
    },
    write(work) {
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
      clearTimeout(timer)
      store?.close()
    },
  }
}
