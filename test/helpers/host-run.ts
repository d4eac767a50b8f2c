/** Runs a host's program in this process, at no terminal. */
import type { Io } from '../../src/cli/io.ts'
import { hostProgram } from '../../src/host-cli/program.ts'
import type { System } from '../../src/util/system.ts'

export interface HostRun {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** `host` by its name in its declaration. Errors: those that the program would print. */
export async function runHost(host: string, system: System, args: readonly string[]): Promise<HostRun> {
  let out = ''
  let err = ''
  const io: Io = {
    args,
    system,
    out: (text) => {
      out += text
    },
    err: (text) => {
      err += text
    },
    interactive: () => false,
    terminal: () => false,
    colour: () => false,
    readStdin: async () => '',
    typed: () => false,
    signal: () => new AbortController().signal,
  }
  const code = await hostProgram(host, io)
  return { code, out, err }
}
