/** `memu doctor`, for every host there is. */
import type { Command } from 'commander'
import { hostSpecs } from '../../hosts/registry.ts'
import { addDoctorCommand } from '../doctor-command.ts'
import type { Io } from '../io.ts'
import type { SetExitCode } from '../program.ts'

export function addDoctor(program: Command, context: { readonly io: Io; readonly exit: SetExitCode }): void {
  addDoctorCommand(program, { ...context, hosts: hostSpecs })
}
