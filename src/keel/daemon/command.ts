/** `keeld` as a process: its log, its signals and its end are the operating system's. */
import { type DaemonIo, keeld } from '../daemon.ts'
import { standardError } from './log.ts'
import { stopSignals } from './signals.ts'
import { forgetClosedTerminal } from './terminal.ts'

/** Errors: those of `keeld`. */
export async function command(io: Pick<DaemonIo, 'system' | 'args' | 'out'>): Promise<number> {
  try {
    return await keeld({
      system: io.system,
      args: io.args,
      out: io.out,
      log: standardError(),
      signal: (beforeExit) =>
        stopSignals((code) => {
          beforeExit()
          forgetClosedTerminal()
          process.exit(code)
        }),
    })
  } finally {
    forgetClosedTerminal()
  }
}
