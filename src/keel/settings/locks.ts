/** What the page may not change, and why. Pure. */
import { holdsSecret } from './address.ts'
import type { LoadedSettings } from './load.ts'
import { type SettingRow, settingRow } from './settings.ts'

const GUARDED = {
  secret: 'A key is never set or shown here.',
  command: 'What runs a program is never set here.',
  target: 'A file that tasks are written to is never set here.',
} as const

/** A sentence for the user with what to do instead; undefined where the page may change it. */
export function lockOf(row: SettingRow, { sources, values, file }: LoadedSettings): string | undefined {
  const key = settingRow(row.key)!.key
  if (sources[key] === 'environment') return `${row.env} in the environment sets it.`
  const instead = `Set ${row.env}, or ${row.key} in ${file.path}.`
  if (row.guarded !== undefined) return `${GUARDED[row.guarded]} ${instead}`
  if (row.isAddress && holdsSecret(values[key])) return `Something in this address may be secret. ${instead}`
  const secret = row.goesWith === undefined ? undefined : settingRow(row.goesWith)
  return secret !== undefined && values[secret.key] !== '' ? `A key goes with this address. ${instead}` : undefined
}
