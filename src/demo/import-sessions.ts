/**
 * Copies session logs of Claude Code and Codex into the scratch home, whatever layout they come in: a home directory, one of the
 * hosts' own folders, or loose files. Each file is told by the shape of its first records. The originals are only read.
 */

import { constants, copyFileSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { MemuError, systemCode } from '../util/errors.ts'
import { headOfFile } from '../util/look.ts'

export interface Imported {
  readonly claudeCode: number
  readonly codex: number
  /** Files with a fitting name whose records are neither. */
  readonly unknown: number
  /** Sessions beyond the limit. */
  readonly left: number
}

type Host = 'claude-code' | 'codex'

const LOG_FILE = /\.jsonl(?:\.zst)?$/
/** Our own working trees hold slices of sessions, which are no sessions. */
const NOT_ENTERED = new Set(['node_modules', '.memu', '.git'])
/** Enough for a first record with a whole system prompt in it. */
const HEAD_BYTES = 256 * 1024
const DEPTH = 8
/** The demo is a look, not an import: the newest are taken. */
const MOST_SESSIONS = 300

/** Errors: `no_sessions` (exit 2) where the directory is missing or holds none. */
export function importSessions(directory: string, home: string): Imported {
  const files = logFiles(directory)
  const known = files.map((path) => ({ path, host: hostOf(path), modified: statSync(path).mtimeMs })).filter(isKnown)
  if (known.length === 0) {
    throw new MemuError('no_sessions', `There are no session logs of Claude Code or Codex in ${directory}.`, {
      hint: 'Give a directory with .jsonl files, for example ~/.claude/projects or ~/.codex/sessions.',
      exit: 2,
    })
  }
  const taken = known.sort((a, b) => b.modified - a.modified).slice(0, MOST_SESSIONS)
  for (const { path, host } of taken) copy(path, join(home, placeOf(host, relative(directory, path))))
  return {
    claudeCode: taken.filter(({ host }) => host === 'claude-code').length,
    codex: taken.filter(({ host }) => host === 'codex').length,
    unknown: files.length - known.length,
    left: known.length - taken.length,
  }
}

function isKnown<T extends { host: Host | undefined }>(file: T): file is T & { host: Host } {
  return file.host !== undefined
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

/** By the first records that tell. Compressed logs are Codex's alone. A file that cannot be read is nobody's. */
function hostOf(path: string): Host | undefined {
  const head = headOfFile(path, HEAD_BYTES)
  if (head === undefined) return undefined
  if (path.endsWith('.zst')) return 'codex'
  for (const line of head.split('\n')) {
    const record = parse(line)
    if (record === undefined) continue
    if (typeof record.sessionId === 'string') return 'claude-code'
    const payload = record.payload
    if (typeof payload === 'object' && payload !== null) return 'codex'
    if (record.type === 'session_meta' || (record.type === 'message' && Array.isArray(record.content))) return 'codex'
  }
  return undefined
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // A record that is cut off, or no record: the next line may tell.
  }
}

/** Subagents keep their place below the session that spawned them; loose files get a folder of their own. */
function placeOf(host: Host, path: string): string {
  const parts = path.split(sep)
  // The name of a rollout holds its id; its folder only keeps equal names apart.
  if (host === 'codex') return join('.codex', 'sessions', 'imported', parts.slice(0, -1).join('-') || '-', basename(path))
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
