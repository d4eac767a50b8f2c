/** The hosts' session logs: found, and how many sessions lie there. */
import { type Check, type CheckContext, type Finding, ok, warn } from '../check.ts'

export const hostLogCheck: Check = {
  name: 'sessions',
  run: async (context) => (await Promise.all(context.hosts.map((spec) => look(spec, context)))).flat(),
}

async function look(spec: CheckContext['hosts'][number], { hosts, system }: CheckContext): Promise<Finding[]> {
  const directory = spec.sessionDir(system)
  const source = await spec.source(directory, system)
  if (!source.exists()) {
    // Asked about all hosts, one that is not used is nothing to repair.
    if (hosts.length > 1) return [ok(`${spec.title}: no sessions on this machine.`)]
    return [
      warn(
        `${spec.title} has no session log in ${directory}.`,
        `Use ${spec.title} once, or name its place: ${spec.binary} prepare --session-dir <dir>`,
      ),
    ]
  }
  const problems: { readonly path: string; readonly reason: string }[] = []
  const sessions = source.discover((problem) => problems.push(problem))
  const newest = Math.max(...sessions.map(({ modified }) => modified))
  const when = sessions.length === 0 ? '' : `, the newest of ${new Date(newest).toISOString().slice(0, 10)}`
  const unreadable = problems.map(({ path, reason }) =>
    warn(`${spec.title}: ${path} cannot be read: ${reason}.`, 'Make it readable for your user.'),
  )
  return [ok(`${spec.title}: ${sessions.length} sessions in ${directory}${when}.`), ...unreadable.slice(0, 3)]
}
