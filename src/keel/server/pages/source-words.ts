/** Where a setting comes from, in words; the page in the browser uses them too. */
import type { SettingSource } from '../../settings/settings.ts'

export const SOURCES: Readonly<Record<SettingSource, string>> = {
  environment: 'from the environment',
  file: 'from the file',
  default: 'the default',
}
