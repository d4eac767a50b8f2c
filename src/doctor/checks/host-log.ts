/** The hosts' session logs: found, and how many sessions lie there. Of hosts that this machine does not have not a word is said. */
import type { HostSpec } from '../../hosts/host-spec.ts'
import { type OwnLog, ownLog } from '../../hosts/own-log.ts'
import type { SessionRef, TranscriptSource } from '../../hosts/transcript-source.ts'
import { commandFor, foreignLog, foreignText } from '../../hosts/wrong-host.ts'
import { MemuError, reason } from '../../util/errors.ts'
import { plural } from '../../util/plural.ts'
import { type Check, type CheckContext, type Finding, ok, warn } from '../check.ts'
import { usedLogs } from './used-logs.ts'

export const hostLogCheck: Check = {
  name: 'sessions',
  async run(context) {
    const used = await usedLogs(context)
    // Where one agent is used, another that is not is nothing to repair.
    if (used.length > 0) return (await Promise.all(used.map(count))).flat()
    return missing(context)
  },
}

async function missing({ hosts, system }: CheckContext): Promise<Finding[]> {
  const [only, ...others] = hosts
  if (only === undefined) return []
  if (others.length > 0) return [warn('No session log of any agent was found.', 'memu-agent detect says what there is on this machine.')]
  const log = await ownLog(only, system)
  if (log === undefined) return [ok(`The sessions of ${only.title} are where --session-dir says; ${only.binary} detect finds them.`)]
  return [warn(`${only.title} has no session log in ${log.directory}.`, firstSession(only))]
}

/** One host whose log cannot be looked at hides no other. */
async function count(log: OwnLog): Promise<Finding[]> {
  try {
    return await counted(log)
  } catch (error) {
    const next = (error instanceof MemuError ? error.hint : undefined) ?? `${log.spec.binary} prepare shows what becomes of it.`
    return [warn(`${log.spec.title}: the sessions in ${log.directory} cannot be looked at: ${reason(error)}`, next)]
  }
}

async function counted({ spec, directory, source }: OwnLog): Promise<Finding[]> {
  const problems: Finding[] = []
  const sessions = source.discover(({ path, reason: why }) =>
    problems.push(warn(`${spec.title}: ${path} cannot be read: ${why}.`, 'Make it readable for your user, or correct what names it.')),
  )
  const foreign = foreignLog(spec, directory)
  if (foreign !== undefined) return [strange(spec, directory, foreign)]
  if (sessions.length === 0) {
    const none = problems.length > 0 ? [] : [warn(`${spec.title}: no session in ${directory}.`, firstSession(spec))]
    return [...none, ...problems.slice(0, 3)]
  }
  if (spec.isRecord === undefined && !(await saysAnything(source, sessions))) return [silent(spec, directory, sessions.length)]
  const newest = sessions.reduce((latest, { modified }) => Math.max(latest, modified), 0)
  const when = `, the newest of ${new Date(newest).toISOString().slice(0, 10)}`
  return [ok(`${spec.title}: ${sessions.length} in ${directory}${when}.`), ...problems.slice(0, 3)]
}

function strange(spec: HostSpec, directory: string, foreign: NonNullable<ReturnType<typeof foreignLog>>): Finding {
  const { of } = foreign
  const next = of === undefined ? `Name the place: ${spec.binary} bridge --session-dir <dir>` : commandFor('doctor', of)
  return warn(foreignText(spec, directory, foreign), next)
}

function firstSession({ title, binary }: HostSpec): string {
  return `Use ${title} once, or name the place: ${binary} bridge --session-dir <dir>`
}

/** Of a log in which any record may stand only reading tells. One session that is understood is enough; few are asked. */
async function saysAnything(source: TranscriptSource, sessions: readonly SessionRef[]): Promise<boolean> {
  let isHeard = false
  for (const session of [...sessions].sort((a, b) => b.modified - a.modified).slice(0, MOST_READ)) {
    try {
      await source.read(session, undefined, () => {
        isHeard = true
        return 'enough'
      })
    } catch {
      continue // It cannot be read just now: another may tell, and a run says why.
    }
    if (isHeard) return true
  }
  return sessions.length > MOST_READ
}

const MOST_READ = 50

function silent(spec: HostSpec, directory: string, sessions: number): Finding {
  return warn(
    `${plural(sessions, 'log file')} in ${directory}, none of them with a record of a shape that ${spec.binary} knows.`,
    'memu-agent detect <folder> looks for what can be read; docs/adding-a-host.md says how a new kind of log is taught.',
  )
}
