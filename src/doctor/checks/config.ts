/** The configuration file: there, readable, private, understood. Needs no settings: it says why there may be none. */
import { statSync } from 'node:fs'
import { parseBaseUrl } from '../../config/base-url.ts'
import { parseLines } from '../../config/dotenv.ts'
import { CONFIG_KEYS, configKey } from '../../config/keys.ts'
import { loadSettings } from '../../config/load.ts'
import { readConfigText } from '../../config/read.ts'
import { configFilePath } from '../../config/settings.ts'
import { publicAddress } from '../../util/public-address.ts'
import { type Check, type CheckContext, type Finding, ok, warn } from '../check.ts'

export const configCheck: Check<Pick<CheckContext, 'system'>> = {
  name: 'configuration',
  run({ system }) {
    const path = configFilePath(system.env, system.home, system.cwd)
    const text = readConfigText(path)
    if (text === undefined) {
      checkValues(system)
      return [missing(path, system.env.MEMU_DB)]
    }
    checkValues(system)
    const troubles = [...openToOthers(path, system.platform), ...strange(path, text)]
    return troubles.length === 0 ? [ok(`${path} is readable${system.platform === 'win32' ? '' : ' for you alone'}.`)] : troubles
  },
}

/** Throws what is wrong with a value. The embedding's address is for the check of the embedding. */
function checkValues(system: CheckContext['system']): void {
  const { value, configFile } = loadSettings(system)
  const executor = value('MEMU_EXECUTOR_BASE_URL')
  if (executor) parseBaseUrl(executor, { key: 'MEMU_EXECUTOR_BASE_URL', secretKey: 'MEMU_EXECUTOR_API_KEY', configFile })
}

function missing(path: string, db: string | undefined): Finding {
  if (db)
    return warn(
      `There is no ${path}; everything comes from the environment.`,
      `Scheduled runs do not see your shell: put MEMU_DB=${publicAddress(db)} into it.`,
    )
  return warn(`There is no ${path}.`, `Create it with a line MEMU_DB=~/.memu/memory.db`)
}

function openToOthers(path: string, platform: NodeJS.Platform): Finding[] {
  if (platform === 'win32' || (statSync(path).mode & 0o077) === 0) return []
  return [warn(`${path} can be read by other users, and it may hold keys.`, `chmod 600 ${path}`)]
}

/** Line numbers and keys, never values: they may be secrets. */
function strange(path: string, text: string): Finding[] {
  const lines = parseLines(text)
  const findings: Finding[] = []
  const unreadable = lines.flatMap((line, at) => (line.unreadable ? [at + 1] : []))
  if (unreadable.length > 0)
    findings.push(warn(`${path}: no KEY=value in line ${unreadable.join(', ')}.`, 'Correct the lines, or put # before them.'))
  const keys = lines.flatMap(({ entry }) => (entry === undefined ? [] : [entry.key]))
  const unknown = [...new Set(keys)].filter((key) => key.startsWith('MEMU_') && configKey(key) === undefined)
  for (const key of unknown) {
    const near = CONFIG_KEYS.find((known) => distance(known.key, key) <= 2)
    findings.push(
      warn(
        `${path}: ${key} is no key that memU knows.`,
        near === undefined ? 'See docs/config.md for the keys.' : `Did you mean ${near.key}?`,
      ),
    )
  }
  const repeated = [...new Set(keys.filter((key, at) => keys.indexOf(key) !== at))]
  if (repeated.length > 0)
    findings.push(warn(`${path}: ${repeated.join(', ')} stands there more than once; the last one counts.`, 'Keep one line of each.'))
  return findings
}

/** Letters to add, drop or change between two words. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at)
  for (let i = 1; i <= a.length; i++) {
    const above = row
    row = [i]
    for (let j = 1; j <= b.length; j++) row[j] = Math.min(above[j]! + 1, row[j - 1]! + 1, above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1))
  }
  return row[b.length]!
}
