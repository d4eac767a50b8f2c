/**
 * Copies session logs of Claude Code and Codex into the scratch home, whatever layout they come in: a home directory, one of the
 * hosts' own folders, or loose files. Each file is told by the shape of its first records. The originals are only read. Where there are
 * none of these two, whoever else's log it is is read in its place.
 */

import { constants, copyFileSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { budget } from '../detect/budget.ts'
import { finds, readerOf } from '../detect/detect.ts'
import { sniff } from '../detect/sniff.ts'
import { agent } from '../hosts/agent/spec.ts'
import { asObject } from '../hosts/fields.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import { claudeCode, codex, hostSpecs } from '../hosts/registry.ts'
import { hostOf } from '../hosts/wrong-host.ts'
import { MemuError, systemCode } from '../util/errors.ts'
import type { JsonObject } from '../util/jsonl.ts'
import { headOfFile } from '../util/look.ts'
import type { System } from '../util/system.ts'

export interface Imported {
  /** The log of another host, to be read where it lies; nothing was copied then. */
  readonly elsewhere?: { readonly of: HostSpec; readonly sessionDir: string }
  /** Files of other hosts among those that were copied: how many, by host. */
  readonly others: ReadonlyMap<HostSpec, number>
  /** Files with a fitting name whose records are nobody's. */
  readonly unknown: number
  /** Sessions beyond the limit. */
  readonly left: number
}

const LOG_FILE = /\.jsonl(?:\.zst)?$/
/** Our own working trees hold slices of sessions, which are no sessions. */
const NOT_ENTERED = new Set(['node_modules', '.memu', '.git'])
/** Enough for a first record with a whole system prompt in it. */
const HEAD_BYTES = 256 * 1024
const DEPTH = 8
/** The demo is a look, not an import: the newest are taken. */
export const MOST_SESSIONS = 300

/** Errors: `no_sessions` (exit 2) where the directory is missing or holds none. */
export async function importSessions(directory: string, home: string, system: System): Promise<Imported> {
  const files = logFiles(directory).map((path) => ({ path, host: hostOfFile(path), modified: statSync(path).mtimeMs }))
  const known = files.filter(({ host }) => host !== undefined && COPIED.includes(host))
  if (known.length === 0) return { elsewhere: await elsewhere(directory, system), others: new Map(), unknown: 0, left: 0 }
  const taken = known.sort((a, b) => b.modified - a.modified).slice(0, MOST_SESSIONS)
  for (const { path, host } of taken) copy(path, join(home, placeOf(host, relative(directory, path))))
  const others = new Map<HostSpec, number>()
  for (const { host } of files) if (host !== undefined && !COPIED.includes(host)) others.set(host, (others.get(host) ?? 0) + 1)
  return {
    others,
    unknown: files.filter(({ host }) => host === undefined).length,
    left: known.length - taken.length,
  }
}

const COPIED: readonly HostSpec[] = [claudeCode, codex]

/** The host whose program reads what lies there; where none does, but the shape of the records is known, the one for any agent. */
async function elsewhere(directory: string, system: System): Promise<NonNullable<Imported['elsewhere']>> {
  // Some hosts' records are one family: where the folder is a host's own, that tells.
  const own = hostSpecs.find((spec) => spec.sessionDir(system) === directory)
  if (own !== undefined && (await finds(own, directory, system))) return { of: own, sessionDir: directory }
  const reader = await readerOf(directory, system)
  if (reader !== undefined) return reader
  const { sessionDir, database } = sniff(directory, budget(), true)
  // Of a database only its host's own source can tell.
  const owners = database === undefined ? [] : hostSpecs.filter((spec) => spec !== agent && !COPIED.includes(spec))
  for (const of of owners) if (await finds(of, directory, system)) return { of, sessionDir: directory }
  if (sessionDir !== undefined) return { of: agent, sessionDir }
  throw new MemuError('no_sessions', `There are no session logs of an agent in ${directory}.`, {
    hint: 'Give a directory with session logs, for example ~/.claude/projects or ~/.codex/sessions. memu-agent detect says where others lie.',
    exit: 2,
  })
}

function logFiles(directory: string, depth = DEPTH): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
      const path = join(directory, entry.name)
      if (entry.isFile()) return LOG_FILE.test(entry.name) ? [path] : []
      return entry.isDirectory() && depth > 0 && !NOT_ENTERED.has(entry.name) ? logFiles(path, depth - 1) : []
    })
  } catch (error) {
    if (depth === DEPTH) {
      throw new MemuError('no_sessions', `Cannot read ${directory} (${systemCode(error) ?? 'unknown error'}).`, { cause: error, exit: 2 })
    }
    return [] // A folder that is not ours to read: the others are shown.
  }
}

/** By the first records. Compressed logs are Codex's alone. A file that cannot be read is nobody's. */
function hostOfFile(path: string): HostSpec | undefined {
  const head = headOfFile(path, HEAD_BYTES)
  if (head === undefined) return undefined
  return path.endsWith('.zst') ? codex : hostOf(head.split('\n').flatMap(recordsIn))
}

function recordsIn(line: string): JsonObject[] {
  try {
    const record = asObject(JSON.parse(line))
    return record === undefined ? [] : [record]
  } catch {
    return [] // A record that is cut off, or no record: the others tell.
  }
}

/** Subagents keep their place below the session that spawned them; loose files get a folder of their own. */
function placeOf(host: HostSpec | undefined, path: string): string {
  const parts = path.split(sep)
  // The name of a rollout holds its id; its folder only keeps equal names apart.
  if (host === codex) return join('.codex', 'sessions', 'imported', parts.slice(0, -1).join('-') || '-', basename(path))
  const projects = parts.lastIndexOf('projects')
  const below = projects >= 0 ? parts.slice(projects + 1) : parts
  const subagents = below.indexOf('subagents')
  const start = subagents >= 0 ? Math.max(0, subagents - 2) : Math.max(0, below.length - 2)
  const kept = below.slice(start)
  return join('.claude', 'projects', ...(kept.length > 1 ? kept : ['imported', basename(path)]))
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  const { atime, mtime } = statSync(from)
  utimesSync(to, atime, mtime)
}
