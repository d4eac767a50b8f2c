/** The store: declared, there, of a known schema, whole, private. */
import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { publicAddress } from '../../util/public-address.ts'
import { type Check, type CheckContext, type Finding, fail, ok, warn } from '../check.ts'
import { withLocalStore } from './local-store.ts'
import { usedLogs } from './used-logs.ts'

export const storeCheck: Check = {
  name: 'store',
  async run(context) {
    const { settings } = context
    if (settings.mode !== 'local') return []
    if (settings.db === undefined) {
      return [fail('MEMU_DB is not set, so there is no store.', `Add a line to ${settings.configFile}: MEMU_DB=~/.memu/memory.db`)]
    }
    const report = await withLocalStore(context, (backend) => backend.inspect({ integrity: true }))
    if (report === undefined) return []
    const { kind, schema, files, segments, resources, problems = [] } = report
    // A store that does not exist yet reads as an empty one without a place of its own.
    const location = files + resources === 0 ? publicAddress(settings.db) : report.location
    if (problems.length > 0) {
      return problems.map((problem) =>
        fail(`${location}: ${problem}`, 'Keep a copy of the file, then bring back the newest backup beside it.'),
      )
    }
    if (files + resources === 0 && isAbsolute(report.location) && !existsSync(dirname(report.location)))
      return [
        warn(
          `${report.location} does not exist, nor does its folder.`,
          `If it should, correct MEMU_DB in the environment or in ${settings.configFile}; else ${await learn(context)} makes it.`,
        ),
      ]
    if (files + resources === 0) return [warn(`${location} holds nothing yet.`, `${await learn(context)} fills it from your sessions.`)]
    return [
      ok(`${location} (${kind}, schema ${schema}) is whole. Files: ${files}, lines: ${segments}, resources: ${resources}.`),
      ...openToOthers(context, location),
    ]
  },
}

function openToOthers({ system }: CheckContext, location: string): Finding[] {
  const mode = system.platform === 'win32' ? 0 : (statSync(location, { throwIfNoEntry: false })?.mode ?? 0)
  return (mode & 0o077) === 0 ? [] : [warn(`${location} can be read by other users.`, `chmod 600 ${location}`)]
}

/** The commands that fill a store: those of the hosts that are used here. */
async function learn(context: CheckContext): Promise<string> {
  const used = (await usedLogs(context)).map(({ spec }) => spec)
  const [only, ...others] = used.length > 0 ? used : context.hosts
  // Where no host has a log, each would be a guess.
  if (only === undefined || (used.length === 0 && others.length > 0)) return 'the command that memu-agent detect prints'
  return [only, ...others].map(({ binary }) => `${binary} bridge`).join(' or ')
}
