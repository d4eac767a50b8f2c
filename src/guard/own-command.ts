/** Whether a command line runs a program of ours, however it is wrapped; a line that only speaks of one does not. */
import { invocations } from './invocations.ts'

/** `memu`, `memu-codex`, as a script of the package and as what npm makes of it on Windows. */
const OURS = /^memu(?:-[a-z0-9]+)*(?:\.(?:c?js|mjs|ts|cmd|ps1|exe|bat))?$/

export function runsOurs(line: string): boolean {
  return invocations(line).some(({ program }) => OURS.test(program))
}
