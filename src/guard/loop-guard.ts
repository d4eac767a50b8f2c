/**
 * The loop guard: memory is not made of memory. Every record of every host passes it on its way into a slice. It leaves out what memU
 * itself put into the conversation: blocks with this installation's nonce, calls of our programs and tools and reads of our files, with
 * their results. Talk about memU stays.
 */

import { ownCall } from './own-call.ts'
import { ownFiles } from './own-files.ts'
import { isRunPrompt, stripper } from './tag.ts'

/** What the guard looks at; a host's record has more. */
export interface GuardedRecord {
  readonly kind: 'message' | 'tool'
  readonly text: string
  readonly tool?: { readonly name?: string; readonly call?: string; readonly part: 'call' | 'result' }
}

export interface GuardOptions {
  /** Every nonce that counts as ours. */
  readonly nonces: readonly string[]
  /** Trees of memU that do not lie below a `.memu`; absolute. */
  readonly roots: readonly string[]
  /** The user's home directory. */
  readonly home: string
}

/** One session's guard. */
export interface SessionGuard {
  /** The record, a shortened one in its place, or undefined where nothing of it is the conversation's own. In the session's order. */
  pass<R extends GuardedRecord>(record: R): R | undefined
  /** Whether a session that begins with this message is a run of ours. */
  isRun(message: string): boolean
  /** Takes our blocks out of a text that is no record: a title. */
  text(text: string): string
  /** Calls of ours whose results have not come yet: the next read of the session begins with them. */
  readonly open: readonly string[]
}

/** Stands among the open calls for one without an id: the next result without one is its result. */
const NAMELESS = ''
/** An agent has a handful of calls under way; those whose results never come must not pile up. */
const MOST_OPEN = 64

/** A guard for one session, `open` being what the one before it left. */
export function loopGuard(options: GuardOptions): (open?: readonly string[]) => SessionGuard {
  const strip = stripper(options.nonces)
  const isOwnCall = ownCall(ownFiles(options.roots, options.home), options.roots)
  return (before = []) => {
    const open = new Set(before)
    return {
      pass(record) {
        const { part, call = NAMELESS } = record.tool ?? {}
        if (part === 'call' && isOwnCall(record.tool?.name, record.text)) {
          open.add(call)
          if (open.size > MOST_OPEN) open.delete(open.values().next().value as string)
          return undefined
        }
        // Where a call has no id, its result is the next one without an id; another call in between ends the waiting.
        if (part === 'call') open.delete(NAMELESS)
        if (part === 'result' && open.delete(call)) return undefined
        const text = strip(record.text, { mayLackHead: record.kind === 'tool' })
        if (text === record.text) return record
        return text === '' ? undefined : { ...record, text }
      },
      isRun: (message) => isRunPrompt(message, options.nonces),
      text: (text) => strip(text, { mayLackHead: false }),
      get open() {
        return [...open]
      },
    }
  }
}
