/** The command `doctor`, of `memu` (all hosts) and of a host program (its own). */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { HostSpec } from '../hosts/host-spec.ts'
import type { System } from '../util/system.ts'
import type { Io } from './io.ts'
import type { SetExitCode } from './program.ts'

export interface DoctorContext {
  readonly io: Io
  readonly exit: SetExitCode
  readonly hosts: readonly HostSpec[]
  /** Of the program of one host: `--session-dir` and `--base-dir`, as its other verbs have them. */
  readonly options?: readonly (readonly [flags: string, text: string])[]
}

interface Flags {
  readonly json?: true
  readonly sessionDir?: string
  readonly baseDir?: string
}

export function addDoctorCommand(program: Command, { io, exit, hosts, options = [] }: DoctorContext): void {
  const command = program
    .command('doctor')
    .description('prove that everything works, and say what does not')
    .option('--json', 'print {level, findings: [{check, level, what, next}]}')
    .addHelpText('after', '\nLooks and changes nothing. Exits with 1 where a check failed.')
    .action(async (flags: Flags) => {
      const { diagnose } = await import('../doctor/doctor.ts')
      const { formatDiagnosis } = await import('../doctor/format.ts')
      const { bridgingFacts } = await import('./bridging-facts.ts')
      const { system } = io
      const diagnosis = await diagnose({
        system,
        hosts: hosts.map((host) => placed(host, flags, system)),
        bridging: (host) => bridgingFacts(host, system),
      })
      io.out(flags.json ? `${JSON.stringify(diagnosis)}\n` : formatDiagnosis(diagnosis, io.colour()))
      exit(diagnosis.level === 'fail' ? 1 : 0)
    })
  for (const [name, text] of options) command.option(name, text)
}

/** The host with the places that were named in place of its own. */
function placed(host: HostSpec, { sessionDir, baseDir }: Flags, { cwd }: System): HostSpec {
  return {
    ...host,
    ...(sessionDir === undefined ? {} : { sessionDir: () => resolve(cwd, sessionDir) }),
    ...(baseDir === undefined ? {} : { baseDir: () => resolve(cwd, baseDir) }),
  }
}
