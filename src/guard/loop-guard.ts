/**
 * The loop guard: memory is not made of memory. Every record of every host passes it on its way into a slice. It leaves out what memU
 * itself put into the conversation: blocks with this installation's nonce, calls of our programs and tools and reads of our files, with
 * their results. Talk about memU stays.
 */

import { digest } from '../util/jsonl.ts'
import { ownCall } from './own-call.ts'
import { ownFiles } from './own-files.ts'
import { isRunPrompt, stripper } from './tag.ts'
import { callTraces, isTrace } from './traces.ts'

/** What the guard looks at; a host's record has more. */
export interface GuardedRecord {
  readonly kind: 'message' | 'tool'
  readonly text: string
  readonly tool?: { readonly name?: string; readonly call?: string; readonly part: 'call' | 'result'; readonly directory?: string }
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
  /** Calls of ours whose results may still come, and what they left behind: the next read of the session begins with them. */
  readonly openCalls: readonly string[]
}

/** Calls without an id stand among the open ones as these: one of ours, another. Ids of hosts are longer. */
const OURS = ''
const OTHER = '-'
/**
 * An agent has a handful of calls under way, and some make many at once. What is older is forgotten: a call that is answered stays among them
 * for as long, since hosts log a result in parts and once more when they resume a session.
 */
const MOST_OPEN = 512
/** Longer ids are remembered by a digest. Characters. */
const LONGEST_ID = 80

/** A guard for one session, given the `openCalls` that the one before it left. */
export function loopGuard(options: GuardOptions): (openCalls?: readonly string[]) => SessionGuard {
  const strip = stripper(options.nonces)
  const isOwnCall = ownCall(ownFiles(options.roots, options.home), options.roots)
  return (before = []) => {
    const open = new Set(before.filter((call) => call !== OURS && call !== OTHER && !isTrace(call)))
    const traces = callTraces(before.filter(isTrace), options.home)
    const nameless = namelessCalls(before.filter((call) => call === OURS || call === OTHER))
    return {
      pass(record) {
        const { part, name } = record.tool ?? {}
        const call = idOf(record)
        if (part === 'call') {
          const isOurs = isOwnCall(name, record.text, record.tool?.directory) || traces.askedFor(name, record.text)
          if (isOurs) traces.called(record.text)
          if (call === undefined) nameless.called(isOurs ? OURS : OTHER)
          else if (isOurs) open.add(call)
          else open.delete(call) // Some hosts number calls anew in every answer: the last one counts.
          if (open.size > MOST_OPEN) open.delete(open.values().next().value as string)
          if (isOurs) return undefined
        } else {
          nameless.wentOn()
          if (part === 'result') {
            const isOurs = call === undefined ? nameless.answered() === OURS : open.has(call)
            traces.answered(record.text, isOurs)
            if (isOurs) return undefined
          }
        }
        const text = strip(record.text, { mayLackHead: record.kind === 'tool' })
        if (text === record.text) return record
        return text === '' ? undefined : { ...record, text }
      },
      isRun: (message) => isRunPrompt(message, options.nonces),
      text: (text) => strip(text, { mayLackHead: false }),
      get openCalls() {
        return [...open, ...nameless.waiting, ...traces.kept]
      },
    }
  }
}

function idOf({ tool }: GuardedRecord): string | undefined {
  const id = tool?.call
  return id !== undefined && (id.length > LONGEST_ID || id === OURS || id === OTHER || isTrace(id)) ? digest(id) : id
}

/**
 * Calls without an id that were made in a row are answered in their order. A result that never comes must not shift all that follow: the
 * first call after anything else begins a new row.
 */
function namelessCalls(before: readonly string[]) {
  let waiting = [...before]
  let isInRow = waiting.length > 0
  return {
    called(whose: string): void {
      waiting = [...(isInRow ? waiting : []), whose].slice(-MOST_OPEN)
      isInRow = true
    },
    answered: (): string | undefined => waiting.shift(),
    /** Something else than a call came. */
    wentOn(): void {
      isInRow = false
    },
    get waiting(): readonly string[] {
      return waiting
    },
  }
}
