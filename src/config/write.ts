/**
 * The one writer of `config.env`. It merges: order, comments, unknown keys and line endings stay as they are. Reading,
 * changing and replacing happen under a lock, so that two writers at once lose nothing. No command writes the file yet: `init` and
 * `config` come with a later version.
 */
import { chmodSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { MemuError, reason } from '../util/errors.ts'
import { makeDirectory, writeFileAtomic } from '../util/fs.ts'
import { requireHome } from '../util/home.ts'
import { acquireLock, type Lock } from '../util/lock.ts'
import type { System } from '../util/system.ts'
import { isDefaultUrl } from './defaults.ts'
import { formatValue, type Line, parseDotenv, parseLines } from './dotenv.ts'
import { readConfigText } from './read.ts'
import { configFilePath } from './settings.ts'

/** New values by key; undefined removes the key. */
export type ConfigChanges = Readonly<Record<string, string | undefined>>

export interface ConfigWritten {
  readonly path: string
  readonly created: boolean
  /** Keys whose value in the file is another one now. */
  readonly changed: readonly string[]
  /** Whether the file's mode keeps other users out; false on Windows, where the directory's access list decides. */
  readonly isPrivate: boolean
}

/** How long a writer waits for another one; each holds the lock for milliseconds. */
const PATIENCE_MS = 5000
const PAUSE_MS = 20

/**
 * Writes `changes` into the config file. URLs that are the code's own defaults are left out, not stored. `decide` sees the
 * values on disk under the lock, for changes that depend on them. Errors: `config_unreadable`, `config_unwritable`, `invalid_config`, `locked`.
 */
export async function writeConfig(
  system: System,
  changes: ConfigChanges | ((onDisk: ReadonlyMap<string, string>) => ConfigChanges),
): Promise<ConfigWritten> {
  const path = configFilePath(system.env, system.home, system.cwd)
  try {
    requireHome(system.home, path)
    makeDirectory(dirname(path))
    const lock = await lockConfig(path, system)
    try {
      return replace(path, changes, system)
    } finally {
      lock.release()
    }
  } catch (error) {
    if (error instanceof MemuError) throw error
    throw new MemuError('config_unwritable', `Cannot write the configuration ${path}: ${reason(error)}.`, {
      hint: 'Make the directory writable for your user, or name another file in MEMU_CONFIG_ENV.',
      cause: error,
    })
  }
}

/** The text of a config file after `changes`; pure. `newline` is for a file that has no line ending of its own yet. */
export function applyChanges(text: string, changes: ConfigChanges, newline: string): string {
  const lines = parseLines(text).flatMap((line): string[] => {
    if (line.entry === undefined || !Object.hasOwn(changes, line.entry.key)) return [line.text]
    const value = changes[line.entry.key]
    return value === undefined ? [] : [rewrite(line, line.entry, value)]
  })
  const present = parseDotenv(text)
  const ending = /\r\n|\n|\r/.exec(text)?.[0] ?? newline
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined || present.has(key)) continue
    const last = lines.at(-1)
    if (last !== undefined && !/[\r\n]$/.test(last)) lines[lines.length - 1] = last + ending
    lines.push(`${key}=${formatValue(value)}${ending}`)
  }
  return lines.join('')
}

/** A line whose value is right already keeps its quoting. */
function rewrite(line: Line, entry: NonNullable<Line['entry']>, value: string): string {
  if (entry.value === value) return line.text
  const rest = line.text.slice(entry.to)
  const gap = rest.startsWith('#') ? ' ' : '' // A comment begins after white space; glued to the value it would be part of it.
  return line.text.slice(0, entry.from) + formatValue(value) + gap + rest
}

function replace(path: string, changes: Parameters<typeof writeConfig>[1], system: System): ConfigWritten {
  const before = readConfigText(path)
  const onDisk = parseDotenv(before ?? '')
  const wanted = withoutDefaults(typeof changes === 'function' ? changes(onDisk) : changes, onDisk)
  for (const key of Object.keys(wanted)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(key)) throw new MemuError('invalid_config', `${JSON.stringify(key)} is not a key.`, { exit: 2 })
  }
  const after = applyChanges(before ?? '', wanted, system.platform === 'win32' ? '\r\n' : '\n')
  const isPosix = system.platform !== 'win32'
  // Only the directory that is memU's own: a file that MEMU_CONFIG_ENV puts elsewhere lies among others' files.
  if (isPosix && dirname(path) === join(system.home, '.memu')) chmodSync(dirname(path), 0o700)
  writeFileAtomic(path, after, { mode: 0o600, forceMode: true })
  const changed = Object.keys(wanted).filter((key) => onDisk.get(key) !== wanted[key])
  return { path, created: before === undefined, changed, isPrivate: isPosix }
}

function withoutDefaults(changes: ConfigChanges, onDisk: ReadonlyMap<string, string>): ConfigChanges {
  const settled = (key: string): string | undefined => (Object.hasOwn(changes, key) ? changes[key] : onDisk.get(key))
  const provider = settled('MEMU_EMBED_PROVIDER') ?? settled('MEMU_LLM_PROVIDER') ?? 'local'
  return Object.fromEntries(
    Object.entries(changes).map(([key, value]) => [key, value !== undefined && isDefaultUrl(key, value, provider) ? undefined : value]),
  )
}

async function lockConfig(path: string, system: System): Promise<Lock> {
  const deadline = performance.now() + PATIENCE_MS
  for (;;) {
    try {
      return acquireLock(`${path}.lock`, { purpose: 'writing the configuration', now: () => system.now() })
    } catch (error) {
      if (!(error instanceof MemuError && error.code === 'locked') || performance.now() > deadline) throw error
      await new Promise((resume) => setTimeout(resume, PAUSE_MS))
    }
  }
}
