/** The settings of a running daemon: shown, and changed one after another. A change that is refused leaves everything as it was. */
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { changeSettings } from '../settings/change.ts'
import { refuseUnreadable, writeSettingsFile } from '../settings/file.ts'
import { InvalidSetting } from '../settings/invalid-setting.ts'
import { complaintsAbout, loadSettings } from '../settings/load.ts'
import { resolveSettings } from '../settings/seed.ts'
import { type KeelSettings, settingRow } from '../settings/settings.ts'
import { viewSettings } from '../settings/show.ts'
import type { SettingView } from '../settings/view.ts'
import { settingNotes } from './setting-notes.ts'

export interface SettingsKeeper {
  values(): KeelSettings
  view(): readonly SettingView[]
  /**
   * What `prepare` makes of the new settings is taken by `accept` once they are written. Errors: `InvalidSetting`, those of `prepare`,
   * `settings_unreadable`, `settings_not_written`; then `accept` is not called.
   */
  change<Prepared>(
    values: Readonly<Record<string, string>>,
    prepare: (next: KeelSettings) => Promise<Prepared>,
    accept: (prepared: Prepared, next: KeelSettings) => Promise<void>,
  ): Promise<void>
}

/** Reads the file, and complains to the log about what is strange in it. Never throws. */
export function newSettingsKeeper(path: string, system: System, log: (line: string) => void): SettingsKeeper {
  let loaded = loadSettings(path, system)
  let last: Promise<void> = Promise.resolve()
  for (const line of complaintsAbout(loaded)) log(printable(line))

  async function changeNow(...[values, prepare, accept]: Parameters<SettingsKeeper['change']>): Promise<void> {
    // Anew: somebody may have edited it meanwhile, and that must not be lost.
    const found = loadSettings(path, system)
    refuseUnreadable(found.file)
    const { content, lines } = changeSettings(found, values, system)
    const next = resolveSettings(system.env, content)
    const prepared = await prepare(next.values)
    // Where nothing is changed, what was edited by hand is taken all the same.
    if (lines.length > 0) writeSettingsFile(found.file, content)
    loaded = { file: { ...found.file, content }, ...next }
    for (const line of lines) log(printable(`settings: changed on the page: ${line}`))
    await accept(prepared, next.values)
  }

  return {
    values: () => loaded.values,
    view: () => viewSettings(loaded, settingNotes(loaded.values, system)),
    change(...given) {
      const change = last.then(() => changeNow(...(given as Parameters<SettingsKeeper['change']>)))
      last = change.catch(() => {}) // It is told to who asked for it.
      return change
    },
  }
}

/** The same error, with where the value comes from: for a daemon that cannot start. */
export function withOrigin(error: unknown, keeper: SettingsKeeper, path: string): unknown {
  if (!(error instanceof InvalidSetting)) return error
  const row = settingRow(error.key)
  const source = keeper.view().find(({ key }) => key === error.key)?.source
  if (row === undefined || source === undefined || source === 'default') return error
  const origin = source === 'file' ? `It is ${row.key} in ${path}.` : `It is ${row.env} in the environment.`
  const hint = error.hint === undefined ? origin : `${error.hint} ${origin}`
  return new InvalidSetting(error.key, error.message, { code: error.code, hint, cause: error.cause })
}
