/**
 * The readable copies of what a search found, under `~/.memu/view/<track>/<name>.md`: apart from every working mirror, so that a
 * search never overwrites what is being edited. On the hot path.
 */
import { join } from 'node:path'
import { fileNameFor } from '../../markdown/file-names.ts'
import { formatMemoryText } from '../../markdown/front-matter.ts'
import type { RecallFile } from '../../records.ts'
import { readTextIfExists, writeFileAtomic } from '../../util/fs.ts'
import type { System } from '../../util/system.ts'

/** What decides on a copy's place, and what it holds. */
export type Copied = Pick<RecallFile, 'track' | 'name' | 'description' | 'content' | 'user_id' | 'agent_id'>

/** Nobody edits a copy by mistake. On Windows a read-only file could not be replaced either. */
const MODE = process.platform === 'win32' ? 0o600 : 0o400

export function copiesDirectory(system: Pick<System, 'home'>): string {
  return join(system.home, '.memu', 'view')
}

export function copyPath(directory: string, file: Copied): string {
  return join(directory, fileNameFor(file.track).slice(0, -'.md'.length), fileNameFor(copyName(file)))
}

/** The file in markdown; its front matter says that it is a copy, and where the original is edited. */
export function copyText({ track, name, description, content }: Copied): string {
  return formatMemoryText({ name, description, content, extra: [`edit: ${whereToEdit(track)}`] })
}

/** Unchanged files are left alone: most prompts find what the last one found. */
export function writeCopy(path: string, file: Copied): void {
  const text = copyText(file)
  if (readTextIfExists(path) !== text) writeFileAtomic(path, text, { durable: false, mode: MODE, forceMode: true })
}

function whereToEdit(track: string): string {
  if (track !== 'memory' && track !== 'skill') return 'this is a copy; store a new version of the original with memu commit'
  return `this is a copy; edit the original in ~/.memu/hosts/<host>/${track} (~/.memu/${track} for Codex), then run memu-<host> commit`
}

/** Files of two users or agents may share their name. */
function copyName({ name, user_id, agent_id }: Copied): string {
  return user_id === '' && agent_id === '' ? name : `${name} (${user_id} ${agent_id})`
}
