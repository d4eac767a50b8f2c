/** Whether a server is there: looked after in the background, and told once each way. It knows nothing of what the server is for. */
import { reason as words } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'

export interface Connection {
  readonly isUp: boolean
  /** When it came or went; before the first look: when the daemon started. */
  readonly since: Date
  /** Why it is away; undefined while it is there, and before the first look has ended. */
  readonly reason: string | undefined
  /** Resolves when the first look has ended, however. */
  readonly first: Promise<void>
  /** Before a use: looks whether it is back, in the background, where the last look is long enough ago. */
  nudge(): void
  /** A request got no answer. */
  lost(error: unknown): void
  /** A request got none that could be used, or not in time: looks at once, in the background, whether it is still ready for use. */
  doubt(): void
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  /** Makes the server ready for use. */
  reach(signal: AbortSignal): Promise<unknown>
  /** Looks whether one that was ready still answers. */
  check(signal: AbortSignal): Promise<unknown>
  readonly now: () => Date
  /** Milliseconds between two looks, at least. */
  readonly everyMs: number
  readonly onUp: () => void
  readonly onDown: (reason: string) => void
}

/** One line of a log. */
const REASON_LIMIT = 300

/** Looks at once. */
export function newConnection({ reach, check, now, everyMs, onUp, onDown }: ConnectionOptions): Connection {
  const closing = new AbortController()
  let isUp = false
  let since = now()
  let reason: string | undefined
  let looking: Promise<void> | undefined
  let isDoubted = false
  let lastLook = 0
  let timer: NodeJS.Timeout | undefined

  const lost = (error: unknown): void => {
    if (closing.signal.aborted) return
    const isNews = isUp || reason === undefined
    reason = printable(words(error)).slice(0, REASON_LIMIT)
    if (!isNews) return
    isUp = false
    since = now()
    // Just seen to be away: the next look is a whole interval from here.
    lastLook = since.getTime()
    onDown(reason)
  }
  const lookOnce = async (): Promise<void> => {
    const wasUp = isUp
    const look = wasUp && !isDoubted ? check : reach
    isDoubted = false
    lastLook = now().getTime()
    try {
      await look(closing.signal)
    } catch (error) {
      return lost(error)
    }
    if (wasUp || closing.signal.aborted) return
    isUp = true
    since = now()
    reason = undefined
    onUp()
  }
  const look = (): Promise<void> => {
    clearTimeout(timer)
    looking ??= lookOnce().finally(() => {
      looking = undefined
      // Nobody has to use the memory for the page to say where it is. It keeps no process alive.
      if (!closing.signal.aborted) timer = setTimeout(look, everyMs).unref()
    })
    return looking
  }

  const first = look()
  return {
    get isUp() {
      return isUp
    },
    get since() {
      return since
    },
    get reason() {
      return reason
    },
    first,
    nudge() {
      // By the clock on the wall: timers stand still while a machine sleeps. One that was set back must not stop us either.
      if (!isUp && looking === undefined && !closing.signal.aborted && Math.abs(now().getTime() - lastLook) >= everyMs) void look()
    },
    lost,
    doubt() {
      if (!isUp || isDoubted || closing.signal.aborted) return
      isDoubted = true
      void look()
    },
    async close() {
      closing.abort(new Error('keeld stops'))
      clearTimeout(timer)
      await looking
    },
  }
}
