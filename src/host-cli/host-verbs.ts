/** Verbs that a single host's program has besides those of all; a new one is a file in `verbs/` and a line here. */
import type { Command } from 'commander'
import type { VerbContext } from './verb.ts'
import { addCowork } from './verbs/cowork.ts'
import { addDetect } from './verbs/detect.ts'
import { addRegisterCronJob } from './verbs/register-cron-job.ts'

/** Adds one command to a host's program. */
export type AddVerb = (program: Command, context: VerbContext) => void

/** By the host's name in its declaration (`openclaw`). */
const HOST_VERBS: Readonly<Record<string, readonly AddVerb[]>> = {
  agent: [addDetect],
  'claude-code': [addCowork],
  hermes: [addRegisterCronJob],
  openclaw: [addRegisterCronJob],
}

/** The verbs that `host` alone has, in the order of its help; most hosts have none. */
export function hostVerbs(host: string): readonly AddVerb[] {
  return HOST_VERBS[host] ?? []
}
