/** What a change on the page makes of the file. */
import { realpathSync } from 'node:fs'
import { basename, dirname, isAbsolute, join } from 'node:path'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { isNotes, NOTES, notesPath } from '../knowledge/notes.ts'
import { holdsSecret, isHttp } from './address.ts'
import { InvalidSetting } from './invalid-setting.ts'
import type { LoadedSettings } from './load.ts'
import { lockOf } from './locks.ts'
import { normalised } from './seed.ts'
import { type SettingRow, settingRow } from './settings.ts'

export interface SettingsChange {
  /** The file's next content. */
  readonly content: Readonly<Record<string, unknown>>
  /** `ai_backend is claude`, for the log: no secret is ever changed here. */
  readonly lines: readonly string[]
}

/** Characters; a path or a filter has fewer. */
const LENGTH_LIMIT = 1000

/**
 * A value that is empty, or the default, is taken out of the file. What is not named stays, and so does what is not known.
 * Errors: `InvalidSetting` for a key that is none, one that the page may not change, and a value that none of its kind can be.
 */
export function changeSettings(
  loaded: LoadedSettings,
  values: Readonly<Record<string, string>>,
  system: Pick<System, 'home'>,
): SettingsChange {
  const content: Record<string, unknown> = { ...loaded.file.content }
  const lines: string[] = []
  for (const [key, given] of Object.entries(values)) {
    const row = settingRow(key)
    if (row === undefined) throw new InvalidSetting(printable(key).slice(0, 60), 'There is no such setting.')
    const value = checkedValue(row, given)
    if (value === loaded.values[row.key]) continue
    const lock = lockOf(row, loaded)
    if (lock !== undefined) throw new InvalidSetting(key, `${row.label} cannot be changed here.`, { hint: lock })
    if (row.isNotes && value !== '') checkNotes(row, value, system)
    if (row.isAddress) checkAddress(row, value)
    if (value === row.default || value === '') delete content[key]
    else content[key] = value
    lines.push(`${key} is ${value || row.default || 'empty'}`)
  }
  return { content, lines }
}

function checkedValue(row: SettingRow, given: unknown): string {
  if (typeof given !== 'string') throw new InvalidSetting(row.key, `${row.label} is not a text.`)
  if (given.length > LENGTH_LIMIT) throw new InvalidSetting(row.key, `${row.label} is longer than ${LENGTH_LIMIT} characters.`)
  const value = normalised(row, printable(given))
  if (value === '' || row.choices === undefined || row.choices.includes(value)) return value || row.default
  throw new InvalidSetting(row.key, `${row.label} cannot be ${JSON.stringify(value.slice(0, 60))}.`, {
    hint: `Choose one of ${row.choices.join(', ')}.`,
  })
}

/** Whatever it is used for just now: what is stored is shown to whoever reaches the page. */
function checkAddress(row: SettingRow, value: string): void {
  if (value !== '' && holdsSecret(value)) {
    const key = settingRow(row.goesWith ?? '')
    throw new InvalidSetting(row.key, `${row.label} holds a name, a password, or a question mark with something behind it.`, {
      hint: `Everybody who reaches this page could read it. Set ${row.env} in the environment, or ${row.key} in the settings file; a key has a place of its own, ${key?.env}.`,
    })
  }
  if (value !== '' && !isHttp(value)) {
    throw new InvalidSetting(row.key, `${row.label} is not an http:// or https:// address.`, {
      hint: 'Give it like http://localhost:1234.',
    })
  }
}

/** By its path, and by where that leads. What is not there yet is looked at whenever it is read, as every file is. */
function checkNotes(row: SettingRow, path: string, system: Pick<System, 'home'>): void {
  if (!/^(?:~|\$HOME|\$\{HOME\})[\\/]/.test(path) && !isAbsolute(path)) {
    throw new InvalidSetting(row.key, `${row.label} needs the whole path of a file.`, {
      hint: 'Begin it with ~/ for a file in your home folder.',
    })
  }
  const file = notesPath(path, system)
  if (isNotes(file, system.home) && isNotes(realPath(file), realPath(system.home))) return
  throw new InvalidSetting(
    row.key,
    `${row.label} can here only be a ${NOTES.join(', ')} file in your home folder, and none that is hidden or lies elsewhere by a link.`,
    {
      hint: `Set ${row.env} in the environment, or ${row.key} in the settings file with its own path, for any other one.`,
    },
  )
}

/** Of what is not there (yet), that of the folder in which it would be. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(realPath(folder), basename(path))
  }
}
