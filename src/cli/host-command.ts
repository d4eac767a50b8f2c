/** How `memu` names a command that each host's program has: once, and the hosts after it. */
import { hostSpecs } from '../hosts/registry.ts'

/** `memu-<host> bridge (claude-code, codex, …)` */
export function hostCommand(verb: string): string {
  return `memu-<host> ${verb} (${hostSpecs.map(({ host }) => host).join(', ')})`
}
