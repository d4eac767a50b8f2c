/** What records say of the session as a whole, under the names that agents use for it. */
import { isAbsolute, win32 } from 'node:path'
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'

export interface Noted {
  title?: string
  /** A person's title beats the program's, which beats a summary. */
  titleRank?: number
  project?: string
  branch?: string
}

const PROJECT = ['cwd', 'workdir', 'workDir', 'working_dir', 'workingDirectory', 'workspace', 'directory', 'workspaceDirectory']
const BRANCH = ['gitBranch', 'git_branch', 'branch']
/** By the name of the field, worst first. */
const TITLES = ['summary', 'title', 'aiTitle', 'thread_name', 'customTitle']

/** Notes what `record` says; a title is never taken from a message, which may hold any field. */
export function note(record: JsonObject, state: Noted, isMessage: boolean): void {
  const data = asObject(record.data)
  for (const place of [
    record,
    asObject(record.payload),
    data,
    asObject(data?.context),
    asObject(record.git),
    asObject(asObject(record.payload)?.git),
  ]) {
    if (place === undefined) continue
    const project = projectOf(place)
    if (project !== undefined) state.project ??= project
    const branch = first(place, BRANCH)
    // "HEAD" stands there outside a repository, too.
    if (branch !== undefined && branch !== 'HEAD') state.branch = branch
    if (!isMessage) noteTitle(place, state)
  }
}

function projectOf(place: JsonObject): string | undefined {
  const named = first(place, PROJECT) ?? asText(Array.isArray(place.directories) ? place.directories[0] : undefined)
  return named !== undefined && (isAbsolute(named) || win32.isAbsolute(named)) ? named : undefined
}

function noteTitle(place: JsonObject, state: Noted): void {
  const rank = TITLES.findLastIndex((name) => asText(place[name]) !== undefined)
  const title = rank < 0 ? (place.type === 'session_info' ? asText(place.name) : undefined) : asText(place[TITLES[rank] ?? ''])
  const own = rank < 0 ? TITLES.length : rank
  if (title === undefined || own < (state.titleRank ?? 0)) return
  state.title = title.trim().split('\n')[0] ?? ''
  state.titleRank = own
}

function first(place: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = asText(place[name])
    if (text !== undefined) return text
  }
  return undefined
}
