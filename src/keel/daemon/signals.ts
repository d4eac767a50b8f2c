/**
 * The signals that end a daemon. The first one asks it to stop; a further Ctrl-C or SIGTERM does not wait for that. A closed terminal is
 * told of by several SIGHUP at once, from the system and from the shell: they are one wish.
 */
import { constants } from 'node:os'

type StopSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

export const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
/** Milliseconds. A terminal sends Ctrl-C to what runs in it, and a program in between (`npm`) passes the same one on. */
const SAME_WISH_MS = 300

/** What tells of signals, and of the time; given by tests. */
export interface SignalSource {
  on(signal: StopSignal, listener: () => void): void
  now(): number
}

/** Aborted by the first one. `atOnce` is called by the one that does not wait, with the exit code that stands for it. */
export function stopSignals(atOnce: (code: number) => void, source: SignalSource = REAL): AbortSignal {
  const stop = new AbortController()
  let first = 0
  for (const signal of STOP_SIGNALS) {
    source.on(signal, () => {
      if (!stop.signal.aborted) {
        first = source.now()
        stop.abort()
      } else if (signal !== 'SIGHUP' && source.now() - first >= SAME_WISH_MS) atOnce(128 + constants.signals[signal])
    })
  }
  return stop.signal
}

const REAL: SignalSource = {
  on: (signal, listener) => void process.on(signal, listener),
  now: () => performance.now(),
}
