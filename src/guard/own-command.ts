/** Whether a command line runs a program of ours, however it is wrapped; a line that only speaks of one does not. */
import { invocations } from './invocations.ts'
import { runsInCode } from './program-text.ts'

/** Our programs, as a script of the package and as what npm makes of it on Windows. Others may begin with our name. */
const OURS =
  /^memu(?:-(?:agent|claude-code|codex|cola|copilot|cursor|gemini|hermes|openclaw|opencode|pi|qwen|workbuddy))?(?:\.(?:c?js|mjs|ts|cmd|ps1|exe|bat))?$/

export function runsOurs(line: string): boolean {
  return invocations(line).some(
    (invocation) =>
      OURS.test(invocation.program) ||
      runsInCode(invocation).some((command) => invocations(command).some(({ program }) => OURS.test(program))),
  )
}
