/** The settings as they are now, with where each comes from. */
import type { System } from '../../util/system.ts'
import { readSettingsFile, type SettingsFile } from './file.ts'
import { type ResolvedSettings, resolveSettings } from './seed.ts'
import { SETTINGS } from './settings.ts'

export interface LoadedSettings extends ResolvedSettings {
  readonly file: SettingsFile
}

/** A file that cannot be read counts as none: the environment and the defaults are left. Never throws. */
export function loadSettings(path: string, { env }: Pick<System, 'env'>): LoadedSettings {
  const file = readSettingsFile(path)
  return { file, ...resolveSettings(env, file.content) }
}

/** Lines for the log, without any value. */
export function complaintsAbout({ file, complaints }: LoadedSettings): string[] {
  if (file.problem !== undefined) {
    return [`settings: cannot read ${file.path} (${file.problem}); going on with the environment and the defaults`]
  }
  const holdsSecret = SETTINGS.some(({ key, guarded }) => guarded === 'secret' && Boolean(file.content[key]))
  const open = file.isOpen && holdsSecret ? [`settings: others may read ${file.path}, which holds a key: chmod 600 helps`] : []
  return [...complaints.map((line) => `settings: in ${file.path} ${line}`), ...open]
}
