/** The session logs of the programs, as files. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Every session log of the program below `logs` that is a file of its own. */
export function logFiles(agent, home) {
  return filesBelow(agent.logs(home)).filter((path) => path.endsWith('.jsonl'))
}

/** Whether the program keeps `text`, which is short and of ASCII, anywhere in its logs: also in a database. */
export function isLogged(agent, home, text) {
  return filesBelow(agent.logs(home)).some((path) => readFileSync(path).includes(text))
}

/** Every regular file below the folder, which may be missing. */
export function filesBelow(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
