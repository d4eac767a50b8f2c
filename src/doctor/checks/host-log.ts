/** The hosts' session logs: found, and how many sessions lie there. Of hosts that this machine does not have not a word is said. */
import type { HostSpec } from '../../hosts/host-spec.ts'
import { type OwnLog, ownLog } from '../../hosts/own-log.ts'
import { commandFor, foreignLog, foreignText } from '../../hosts/wrong-host.ts'
import { MemuError, reason } from '../../util/errors.ts'
import { type Check, type CheckContext, type Finding, ok, warn } from '../check.ts'
import { usedLogs } from './used-logs.ts'

export const hostLogCheck: Check = {
  name: 'sessions',
  async run(context) {
    const used = await usedLogs(context)
    // Where one agent is used, another that is not is nothing to repair.
    if (used.length > 0) return used.flatMap(count)
    return missing(context)
  },
}

async function missing({ hosts, system }: CheckContext): Promise<Finding[]> {
  const [only, ...others] = hosts
  if (only === undefined) return []
  if (others.length > 0) return [warn('No session log of any agent was found.', 'memu-agent detect says what there is on this machine.')]
  const log = await ownLog(only, system)
  if (log === undefined) return [ok(`The sessions of ${only.title} are where --session-dir says; ${only.binary} detect finds them.`)]
  return [
    warn(
      `${only.title} has no session log in ${log.directory}.`,
      `Use ${only.title} once, or name the place: ${only.binary} bridge --session-dir <dir>`,
    ),
  ]
}

/** One host whose log cannot be looked at hides no other. */
function count(log: OwnLog): Finding[] {
  try {
    return counted(log)
  } catch (error) {
    const next = (error instanceof MemuError ? error.hint : undefined) ?? `${log.spec.binary} prepare shows what becomes of it.`
    return [warn(`${log.spec.title}: the sessions in ${log.directory} cannot be looked at: ${reason(error)}`, next)]
  }
}

function counted({ spec, directory, source }: OwnLog): Finding[] {
  const problems: Finding[] = []
  const sessions = source.discover(({ path, reason: why }) =>
    problems.push(warn(`${spec.title}: ${path} cannot be read: ${why}.`, 'Make it readable for your user, or correct what names it.')),
  )
  const foreign = foreignLog(spec, directory)
  if (foreign !== undefined) return [strange(spec, directory, foreign)]
  const newest = sessions.reduce((latest, { modified }) => Math.max(latest, modified), 0)
  const when = sessions.length === 0 ? '' : `, the newest of ${new Date(newest).toISOString().slice(0, 10)}`
  return [ok(`${spec.title}: ${sessions.length} in ${directory}${when}.`), ...problems.slice(0, 3)]
}

function strange(spec: HostSpec, directory: string, foreign: NonNullable<ReturnType<typeof foreignLog>>): Finding {
  const { of } = foreign
  const next = of === undefined ? `Name the place: ${spec.binary} bridge --session-dir <dir>` : commandFor('doctor', of)
  return warn(foreignText(spec, directory, foreign), next)
}
