/** `keeld` as a process: its log, its signals and its end are the operating system's. */
import { type DaemonIo, keeld } from '../daemon.ts'
import { standardError } from './log-sink.ts'
import { stopSignals } from './signals.ts'
import { forgetClosedTerminal } from './terminal.ts'

/** Errors: those of `keeld`. */
export function command({ system, args, out }: Pick<DaemonIo, 'system' | 'args' | 'out'>): Promise<number> {
  process.once('exit', forgetClosedTerminal)
  return keeld({
    system,
    args,
    out,
    log: standardError(),
    signal(beforeExit) {
      // Also where a fault of its own ends it.
      process.once('exit', beforeExit)
      return stopSignals((code) => process.exit(code))
    },
  })
}
