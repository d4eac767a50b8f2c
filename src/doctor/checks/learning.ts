/** The bridging runs: when something was last learned, and what stands in the way of the next time. */
import type { HostSpec } from '../../hosts/host-spec.ts'
import { type BridgingFacts, type Check, type CheckContext, type Finding, ok, warn } from '../check.ts'
import { usedLogs } from './used-logs.ts'

const DAY_MS = 24 * 3600 * 1000
/** Scheduled runs come at least daily; after a week something has stopped. */
const STALE_DAYS = 7

export const learningCheck: Check = {
  name: 'learning',
  async run(context) {
    const used = await usedLogs(context)
    const now = context.system.now()
    const judged = used.map(({ spec }) => judge(spec, context.bridging(spec), now))
    return judged.length > 0 ? judged : withoutPlace(context, now)
  },
}

/** The program of agents whose log lies where only the user knows: of its own runs it can tell. */
function withoutPlace({ hosts, bridging, system }: CheckContext, now: Date): Finding[] {
  const [only, ...others] = hosts
  if (only === undefined || others.length > 0 || only.sessionDir(system) !== undefined) return []
  const facts = bridging(only)
  return Object.keys(facts).length === 0 ? [] : [judge(only, facts, now)]
}

function judge({ title, binary }: HostSpec, facts: BridgingFacts, now: Date): Finding {
  const { lastSuccess, lastFailure, open, running } = facts
  if (running !== undefined) return ok(`${title}: a run is at work (${running}).`)
  if (lastFailure !== undefined) return warn(`${title}: the run of ${lastFailure.at} failed: ${lastFailure.reason}`, `${binary} bridge`)
  if (open !== undefined && lastSuccess === undefined)
    return warn(`${title}: a run was prepared on ${open.since} and never committed.`, `${binary} commit`)
  if (lastSuccess === undefined) return warn(`${title}: nothing was learned from its sessions yet.`, `${binary} bridge`)
  if (facts.isEmpty === true)
    return warn(`${title}: its sessions were looked for on ${day(lastSuccess)}, and nothing was learned from any yet.`, `${binary} bridge`)
  const days = Math.floor((now.getTime() - Date.parse(lastSuccess)) / DAY_MS)
  if (days > STALE_DAYS) return warn(`${title}: the last run was ${days} days ago.`, `${binary} bridge`)
  return ok(`${title}: last learned from on ${day(lastSuccess)}.`)
}

/** `2026-03-10 03:00`, in UTC. */
function day(time: string): string {
  return time.slice(0, 16).replace('T', ' ')
}
