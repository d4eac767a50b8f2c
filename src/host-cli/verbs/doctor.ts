/** `doctor`, for one host. */
import type { Command } from 'commander'
import { addDoctorCommand } from '../../cli/doctor-command.ts'
import { BASE_DIR, SESSION_DIR, type VerbContext } from '../verb.ts'

export function addDoctor(program: Command, { io, spec, exit }: VerbContext): void {
  addDoctorCommand(program, { io, exit, hosts: [spec], options: [SESSION_DIR, BASE_DIR] })
}
