/**
 * The project of a transcript, which says nothing of it itself. The folder that holds it is named after the project's path with everything
 * but letters and digits replaced by `-`, which cannot be undone; so it is taken from what Cursor notes beside it, or not at all.
 */
import { isAbsolute } from 'node:path'
import { headOfFile } from '../../util/look.ts'
import { child, entries, fileState } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import type { SessionFacts } from '../transcript-source.ts'

/** A description is some hundred bytes; the rest is not ours to read. */
const DESCRIPTION_BYTES = 64 * 1024

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

/** `folder` is one of `projects`. */
export function projectOf(folder: string): string | undefined {
  return absolute(description(child(folder, '.workspace-trusted'))?.workspacePath)
}

/** Undefined where it is missing, closed or damaged: it only adds. */
function description(path: string): Readonly<Record<string, unknown>> | undefined {
  if (fileState(path, () => {}) === undefined) return undefined
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
