/** From the environment and the file to the settings: the environment wins, then the file, then the default. Pure. */
import type { System } from '../../util/system.ts'
import { wholeAddress } from './address.ts'
import { type KeelSettings, SETTINGS, type SettingKey, type SettingRow, type SettingSource } from './settings.ts'

export interface ResolvedSettings {
  readonly values: KeelSettings
  readonly sources: Readonly<Record<SettingKey, SettingSource>>
  /** One line each about what stands in the file and cannot be a setting's value. */
  readonly complaints: readonly string[]
}

/** What there is without a file. An empty variable is as none. */
export function seedFromEnv(env: System['env']): KeelSettings {
  return resolveSettings(env, {}).values
}

/** Never throws: what cannot be a value is a complaint, and what is no choice is left to whoever uses it. */
export function resolveSettings(env: System['env'], file: Readonly<Record<string, unknown>>): ResolvedSettings {
  const values: Partial<Record<SettingKey, string>> = {}
  const sources: Partial<Record<SettingKey, SettingSource>> = {}
  const complaints: string[] = []
  for (const row of SETTINGS) {
    const ofFile = fileValue(row, file)
    if (ofFile === undefined) complaints.push(`${row.key} is neither a text nor a switch, and is passed over`)
    const [source, value] = chosen(env[row.env], ofFile, row.default)
    sources[row.key] = source
    values[row.key] = normalised(row, value)
  }
  return {
    values: values as KeelSettings,
    sources: sources as Record<SettingKey, SettingSource>,
    complaints: [...complaints, ...unknownKeys(file)],
  }
}

function chosen(env: string | undefined, file: string | undefined, otherwise: string): [SettingSource, string] {
  if (env?.trim()) return ['environment', env]
  return file?.trim() ? ['file', file] : ['default', otherwise]
}

/** Empty where it is not there; undefined for what is no value. */
function fileValue({ key }: SettingRow, file: Readonly<Record<string, unknown>>): string | undefined {
  const value = Object.hasOwn(file, key) ? file[key] : undefined
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : undefined
}

const SWITCHES: Readonly<Record<string, string>> = { '1': 'on', true: 'on', yes: 'on', '0': 'off', false: 'off', no: 'off' }

/** As the setting's choices are written: case and blanks do not count, and a switch may be written as a truth value. Addresses are whole. */
export function normalised({ choices, isAddress }: SettingRow, value: string): string {
  const text = value.trim()
  if (choices === undefined) return isAddress ? wholeAddress(text) : text
  const lower = text.toLowerCase()
  return choices.includes('on') ? (SWITCHES[lower] ?? lower) : lower
}

/** Of those that nobody knows. The log is read by people. */
const MOST_NAMED = 5

/** They are kept, for another version or another program; a slip of the pen is told. */
function unknownKeys(file: Readonly<Record<string, unknown>>): string[] {
  const unknown = Object.keys(file).filter((key) => !SETTINGS.some((row) => row.key === key))
  if (unknown.length === 0) return []
  const named = unknown.slice(0, MOST_NAMED).map((key) => JSON.stringify(key.slice(0, 60)))
  const others = unknown.length - named.length
  return [`nothing is known of ${named.join(', ')}${others === 0 ? '' : ` and ${others} more`}`]
}
