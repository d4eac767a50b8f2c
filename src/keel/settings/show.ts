/** The settings as the page shows them. Pure. */
import { printable } from '../../util/printable.ts'
import { shownAddress } from './address.ts'
import type { LoadedSettings } from './load.ts'
import { lockOf } from './locks.ts'
import { SETTINGS, type SettingRow } from './settings.ts'
import type { SettingNotes, SettingView } from './view.ts'

/** That there is one, and nothing of it, its length included. */
export const HIDDEN = '••••••••'

/** `notes`: what is to be said of a value, by key. */
export function viewSettings(loaded: LoadedSettings, notes: SettingNotes = {}): readonly SettingView[] {
  return SETTINGS.map((row) => {
    const locked = lockOf(row, loaded)
    return {
      key: row.key,
      label: row.label,
      value: shown(row, loaded.values[row.key]),
      source: loaded.sources[row.key],
      help: row.help,
      ...(locked === undefined ? {} : { locked }),
      ...(row.choices === undefined ? {} : { choices: row.choices }),
      ...(notes[row.key] === undefined ? {} : { note: notes[row.key] }),
    }
  })
}

function shown({ guarded, isAddress }: SettingRow, value: string): string {
  if (value === '') return ''
  if (isAddress) return printable(shownAddress(value))
  if (guarded === 'secret') return HIDDEN
  // Its arguments may hold a key.
  return guarded === 'command' ? programOf(value) : printable(value)
}

function programOf(command: string): string {
  const [program = '', ...rest] = printable(command).split(' ')
  return rest.length === 0 ? program : `${program} …`
}
