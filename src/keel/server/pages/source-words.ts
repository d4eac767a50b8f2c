/** Where a setting comes from, in words; the page in the browser uses them too. */
import type { SettingSource } from '../../settings/settings.ts'

/** Nothing is said of what nobody has set. */
export const SOURCES: Readonly<Record<SettingSource, string>> = {
  environment: '(from the environment)',
  file: '(from the settings file)',
  default: '',
}
