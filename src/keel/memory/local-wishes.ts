/** Forgetting on this machine: what is meant leaves the file at once, and its text as soon as nobody else reads that. */
import { MemuError, reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { EmbeddedStore } from './embedded-store.ts'
import type { LocalFile } from './local-file.ts'
import type { Forgettable } from './store.ts'
import type { Wish } from './wish.ts'
import type { PendingWish } from './wishes.ts'

export interface LocalWishes {
  /** Errors: `not_forgotten`. */
  forget(what: Forgettable): Wish
  /** Never fails. */
  pending(): readonly PendingWish[]
  /** Overwrites what was deleted, where that could not be done yet. Never fails. */
  scrub(): void
  close(): void
}

export interface LocalWishesOptions {
  readonly file: LocalFile
  /** Deletes what was put aside as it was damaged. Errors: the file system's. */
  readonly discardDamaged: () => void
  /** Whether what could not be written lies nowhere else than in the file by now. */
  readonly isAllInFile: () => boolean
  readonly now: () => Date
  /** Milliseconds between two tries to overwrite what was deleted. */
  readonly everyMs: number
  readonly log: (line: string) => void
}

export function newLocalWishes({ file, discardDamaged, isAllInFile, now, everyMs, log }: LocalWishesOptions): LocalWishes {
  let known: readonly PendingWish[] = []
  let complaint: string | undefined
  let timer: NodeJS.Timeout | undefined

  function scrub(): void {
    clearTimeout(timer)
    try {
      file.store?.scrub()
      complaint = undefined
    } catch (error) {
      const line = printable(`memory: the text of what was forgotten still lies in the file (${reason(error)}); trying again`)
      if (line !== complaint) log(line)
      complaint = line
      // Keeps no process alive; the next start tries as well.
      timer = setTimeout(scrub, everyMs).unref()
    }
  }

  function discard(): void {
    try {
      discardDamaged()
    } catch (error) {
      log(printable(`memory: a damaged file stays, and with it what is forgotten (${reason(error)})`))
    }
  }

  scrub()
  return {
    scrub,
    forget(what) {
      // What could not be written before is in the file then, or nothing is forgotten.
      file.save()
      const wish = { what, at: now() }
      if (!isAllInFile()) throw notForgotten(file.failure)
      if (!file.write((store: EmbeddedStore) => store.forget(wish))) throw notForgotten(file.failure)
      // Of single events nobody can tell where they lie in it.
      if (what === 'everything') discard()
      scrub()
      return wish
    },
    pending() {
      try {
        known = file.store?.wishes() ?? known
      } catch {
        // A disk that fails: what was known last must not be shown either.
      }
      return known
    },
    close: () => clearTimeout(timer),
  }
}

function notForgotten(failure: string | undefined): MemuError {
  return new MemuError('not_forgotten', `Nothing was forgotten: the file of events cannot be written${failure ? ` (${failure})` : ''}.`, {
    hint: 'Try again when it can be.',
  })
}
