/** The store: declared, there, of a known schema, whole, private. */
import { existsSync, statSync } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'
import { publicAddress } from '../../util/public-address.ts'
import { type Check, type CheckContext, type Finding, fail, ok, warn } from '../check.ts'
import { withLocalStore } from './local-store.ts'

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
          `If it should, correct MEMU_DB in the environment or in ${settings.configFile}; else ${learn(context)} makes it.`,
        ),
      ]
    if (files + resources === 0) return [warn(`${location} holds nothing yet.`, `${learn(context)} fills it from your sessions.`)]
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

function learn({ hosts }: CheckContext): string {
  return hosts.map(({ binary }) => `${binary} bridge`).join(' or ')
}
