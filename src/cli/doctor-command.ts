/** The command `doctor`, of `memu` (all hosts) and of a host program (its own). */
import type { Command } from 'commander'
import type { HostSpec } from '../hosts/host-spec.ts'
import type { Io } from './io.ts'
import type { SetExitCode } from './program.ts'

export interface DoctorContext {
  readonly io: Io
  readonly exit: SetExitCode
  readonly hosts: readonly HostSpec[]
}

export function addDoctorCommand(program: Command, { io, exit, hosts }: DoctorContext): void {
  program
    .command('doctor')
    .description('prove that everything works, and say what does not')
    .option('--json', 'print {level, findings: [{check, level, what, next}]}')
    .addHelpText('after', '\nLooks and changes nothing. Exits with 1 where a check failed.')
    .action(async (options: { json?: true }) => {
      const { diagnose } = await import('../doctor/doctor.ts')
      const { formatDiagnosis } = await import('../doctor/format.ts')
      const { bridgingFacts } = await import('./bridging-facts.ts')
      const { system } = io
      const diagnosis = await diagnose({ system, hosts, bridging: (host) => bridgingFacts(host, system) })
      io.out(options.json ? `${JSON.stringify(diagnosis)}\n` : formatDiagnosis(diagnosis, io.colour()))
      exit(diagnosis.level === 'fail' ? 1 : 0)
    })
}
