/** What a change on the page makes of the file. Pure. */
import { extname, isAbsolute, relative, resolve, sep } from 'node:path'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
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
/** What people write their goals in. */
const NOTES = ['.md', '.markdown', '.txt', '.org']

/**
 * A value that is empty, or the default, is taken out of the file. What is not named stays, and so does what is not known.
 * Errors: `InvalidSetting` for a key that is none, one that the page may not change, and a value that none of its kind can be.
 */
export function changeSettings(
  loaded: LoadedSettings,
  values: Readonly<Record<string, string>>,
  system: Pick<System, 'home' | 'cwd'>,
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

/** Its text is shown on the page and sent to a model: whoever reaches the page must not read what is not meant for that. */
function checkNotes(row: SettingRow, path: string, { home, cwd }: Pick<System, 'home' | 'cwd'>): void {
  const file = resolve(
    cwd,
    path.replace(/^~(?=$|[/\\])/, () => home),
  )
  const below = relative(home, file)
  // A part with a dot in front: outside of the home (`..`), or hidden. An absolute one: on another drive.
  const isOwn = !isAbsolute(below) && below.split(sep).every((part) => !part.startsWith('.')) && NOTES.includes(extname(file).toLowerCase())
  if (isOwn) return
  throw new InvalidSetting(
    row.key,
    `${row.label} can here only be a ${NOTES.join(', ')} file in your home folder, and none that is hidden.`,
    {
      hint: `Set ${row.env}, or ${row.key} in the settings file, for any other one.`,
    },
  )
}
