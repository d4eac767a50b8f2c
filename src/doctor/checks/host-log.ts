/** The hosts' session logs: found, and how many sessions lie there. */
import type { HostSpec } from '../../hosts/host-spec.ts'
import { ownLog } from '../../hosts/own-log.ts'
import type { TranscriptSource } from '../../hosts/transcript-source.ts'
import { commandFor, foreignLog, foreignText } from '../../hosts/wrong-host.ts'
import { type Check, type Finding, ok, warn } from '../check.ts'

export const hostLogCheck: Check = {
  name: 'sessions',
  async run({ hosts, system }) {
    const logs = (await Promise.all(hosts.map((spec) => ownLog(spec, system)))).filter((log) => log !== undefined)
    const used = logs.filter(({ source }) => source.exists())
    // Where one agent is used, another that is not is nothing to repair.
    if (used.length > 0) return used.flatMap(({ spec, directory, source }) => count(spec, directory, source))
    return logs.map(({ spec, directory }) =>
      warn(
        `${spec.title} has no session log in ${directory}.`,
        `Use ${spec.title} once, or name the place: ${spec.binary} bridge --session-dir <dir>`,
      ),
    )
  },
}

function count(spec: HostSpec, directory: string, source: TranscriptSource): Finding[] {
  const foreign = foreignLog(spec, directory)
  if (foreign !== undefined) {
    const { of } = foreign
    return [
      warn(
        foreignText(spec, directory, foreign),
        of === undefined ? `Name the place: ${spec.binary} bridge --session-dir <dir>` : commandFor('doctor', of),
      ),
    ]
  }
  const problems: Finding[] = []
  const sessions = source.discover(({ path, reason }) =>
    problems.push(warn(`${spec.title}: ${path} cannot be read: ${reason}.`, 'Make it readable for your user.')),
  )
  const newest = Math.max(...sessions.map(({ modified }) => modified))
  const when = sessions.length === 0 ? '' : `, the newest of ${new Date(newest).toISOString().slice(0, 10)}`
  return [ok(`${spec.title}: ${sessions.length} in ${directory}${when}.`), ...problems.slice(0, 3)]
}
