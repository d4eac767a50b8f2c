/** Where Hermes keeps its sessions: one database for the default profile, and one for each named profile. */
import { join } from 'node:path'
import { headOfFile } from '../../util/look.ts'
import type { System } from '../../util/system.ts'
import { child, entries, fileState } from '../directory.ts'
import type { Report } from '../transcript-source.ts'

const DATABASE = 'state.db'
const CONFIG_BYTES = 256 * 1024
/** `backend: postgres` directly below `database:`, the one place that says it. */
const POSTGRES = /^database:[ \t]*(?:#.*)?\r?\n(?:[ \t]+.*\r?\n|[ \t]*\r?\n)*?[ \t]+backend:[ \t]*["']?postgres/m

/** The databases below a Hermes home, or the one that was named itself. */
export function databases(sessionDir: string, report: Report): string[] {
  if (fileState(sessionDir, () => {}) !== undefined) return [sessionDir]
  const profiles = join(sessionDir, 'profiles')
  const named = entries(profiles, report).filter((entry) => entry.isDirectory())
  const paths = [join(sessionDir, DATABASE), ...named.map(({ name }) => join(child(profiles, name), DATABASE))]
  return paths.filter((path) => fileState(path, report) !== undefined)
}

/** The file that says that the sessions are kept in PostgreSQL, which is out of our reach. */
export function postgresConfig(sessionDir: string, system: System): string | undefined {
  const config = join(sessionDir, 'config.yaml')
  if (POSTGRES.test(headOfFile(config, CONFIG_BYTES) ?? '')) return config
  return system.env.HERMES_DATABASE_URL?.trim() && fileState(config, () => {}) !== undefined ? config : undefined
}
