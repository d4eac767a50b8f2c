/** The project of one of the editor's workspaces. */
import { isAbsolute } from 'node:path'
import { fileURLToPath } from 'node:url'
import { headOfFile } from '../../util/look.ts'
import { child, fileState } from '../directory.ts'
import { asObject, asText } from '../fields.ts'

const DESCRIPTION_BYTES = 64 * 1024

/** The folder that `workspace.json` names; undefined for a remote one, and for a window without a folder or with several. */
export function workspaceProject(workspace: string): string | undefined {
  const path = child(workspace, 'workspace.json')
  if (fileState(path, () => {}) === undefined) return undefined
  try {
    return localPath(asText(asObject(JSON.parse(headOfFile(path, DESCRIPTION_BYTES) ?? ''))?.folder))
  } catch {
    return undefined // Half written, or an address of another system: the session goes without its project.
  }
}

/** The folder of a `workspaceIdentifier`, as newer versions note it with each chat. */
export function identifiedProject(identifier: unknown): string | undefined {
  const uri = asObject(asObject(identifier)?.uri)
  if (uri === undefined || (uri.scheme ?? 'file') !== 'file') return undefined
  const path = asText(uri.fsPath) ?? asText(uri.path)
  return path !== undefined && isAbsolute(path) ? path : undefined
}

/** The path of a `file:` address, or a path that it is already. Throws where the address is another system's. */
export function localPath(address: string | undefined): string | undefined {
  if (address?.startsWith('file:')) return fileURLToPath(address)
  return address !== undefined && isAbsolute(address) ? address : undefined
}
