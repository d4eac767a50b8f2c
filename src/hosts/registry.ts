/** The hosts that have a program of their own. A new one is a record here and a folder beside this file. */
import { MemuError } from '../util/errors.ts'
import { agent } from './agent/spec.ts'
import { claudeCode } from './claude-code/spec.ts'
import { codex } from './codex/spec.ts'
import { cola } from './cola/spec.ts'
import { copilot } from './copilot/spec.ts'
import { cursor } from './cursor/spec.ts'
import { gemini } from './gemini/spec.ts'
import { hermes } from './hermes/spec.ts'
import type { HostSpec } from './host-spec.ts'
import { openclaw } from './openclaw/spec.ts'
import { opencode } from './opencode/spec.ts'
import { pi } from './pi/spec.ts'
import { qwen } from './qwen/spec.ts'
import { workbuddy } from './workbuddy/spec.ts'

export { claudeCode, codex }

export const hostSpecs: readonly HostSpec[] = [
  claudeCode,
  codex,
  cursor,
  agent,
  openclaw,
  hermes,
  opencode,
  pi,
  cola,
  copilot,
  gemini,
  qwen,
  workbuddy,
]

/** The declaration of a host by its name (`claude-code`). Errors: `unknown_host`. */
export function hostSpec(name: string): HostSpec {
  const spec = hostSpecs.find(({ host }) => host === name)
  if (spec === undefined) {
    const known = hostSpecs.map(({ host }) => host).join(', ')
    throw new MemuError('unknown_host', `There is no host "${name}".`, { hint: `Use one of: ${known}.`, exit: 2 })
  }
  return spec
}
