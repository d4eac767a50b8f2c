/** Settings of this machine: the file, the environment, the defaults. Called once, at the start of a command. */
import type { System } from '../util/system.ts'
import { parseDotenv } from './dotenv.ts'
import { readConfigText } from './read.ts'
import { configFilePath, resolveSettings, type Settings } from './settings.ts'

/** A missing file is no error: every value then comes from the environment or a default. Errors: `config_unreadable`, `invalid_config`. */
export function loadSettings(system: System): Settings {
  const configFile = configFilePath(system.env, system.home, system.cwd)
  const file = parseDotenv(readConfigText(configFile) ?? '')
  return resolveSettings({ file, env: system.env, configFile, home: system.home, cwd: system.cwd })
}
