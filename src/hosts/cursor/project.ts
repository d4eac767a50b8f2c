/**
 * The project of a transcript, which says nothing of it itself. The folder that holds it is named after the project's path with everything
 * but letters and digits replaced by `-`, which cannot be undone; so it is looked up where Cursor or the disk knows more.
 */
import * as fs from 'node:fs'
import { basename, isAbsolute, sep } from 'node:path'
import { headOfFile } from '../../util/look.ts'
import { child, entries } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import type { SessionFacts } from '../transcript-source.ts'

/** A description is some hundred bytes; the rest is not ours to read. */
const DESCRIPTION_BYTES = 64 * 1024
/** Folders looked into for one project, so that a strange disk ends the search. */
const MOST_FOLDERS = 200

/** What the agent of the command line notes of a session in `chats/<workspace>/<session>/meta.json`. */
export function chatFacts(chats: string, session: string): { readonly facts: SessionFacts; readonly isSubagent: boolean } {
  for (const workspace of entries(chats, () => {})) {
    if (!workspace.isDirectory()) continue
    const about = description(child(child(child(chats, workspace.name), session), 'meta.json'))
    if (about === undefined) continue
    const title = asText(about.title) ?? asText(about.name)
    const project = absolute(about.cwd)
    return { facts: { ...(title && { title: title.trim() }), ...(project && { project }) }, isSubagent: about.isSubagent === true }
  }
  return { facts: {}, isSubagent: false }
}

/** `folder` is one of `projects`. Undefined where its project is not known for certain: moved, deleted, or one of several. */
export function projectOf(folder: string): string | undefined {
  const trusted = absolute(description(child(folder, '.workspace-trusted'))?.workspacePath)
  return trusted ?? projectOnDisk(basename(folder))
}

function description(path: string): Readonly<Record<string, unknown>> | undefined {
  if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isFile()) return undefined
  try {
    return asObject(JSON.parse(headOfFile(path, DESCRIPTION_BYTES) ?? ''))
  } catch {
    return undefined // Half written: the session goes without.
  }
}

function absolute(value: unknown): string | undefined {
  const path = asText(value)
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/** The one folder on this disk whose path has that name; `home-u-my-app` may be `/home/u/my-app` or `/home/u/my/app`. */
export function projectOnDisk(slug: string, root = rootOf(slug)): string | undefined {
  if (/^\d*$/.test(slug)) return undefined // A window without a folder has a number for a name.
  const found: string[] = []
  let left = MOST_FOLDERS
  const search = (directory: string, rest: string): void => {
    if (left-- <= 0) return
    for (const entry of entries(directory, () => {})) {
      if (!entry.isDirectory()) continue
      const name = slugOf(entry.name)
      const path = directory === root ? root + entry.name : child(directory, entry.name)
      if (name === '') continue
      if (rest === name) found.push(path)
      else if (rest.startsWith(`${name}-`)) search(path, rest.slice(name.length + 1))
    }
  }
  search(root, /^[a-z]:/i.test(root) ? slug.slice(2) : slug)
  return found.length === 1 && left > 0 ? found[0] : undefined
}

/** On Windows the name begins with the letter of the drive. */
function rootOf(slug: string): string {
  return sep === '/' ? sep : `${slug.charAt(0)}:${sep}`
}

/** As Cursor names the folder of a path. */
export function slugOf(path: string): string {
  return path.replace(/[^a-z0-9]+/gi, '-').replace(/^-|-$/g, '')
}
