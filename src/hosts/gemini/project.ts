/** Which folder a project of Gemini CLI is: the folder of its sessions has only a short name for it, or a hash. */
import { basename, dirname, join } from 'node:path'
import { digest } from '../../util/jsonl.ts'
import { headOfFile } from '../../util/look.ts'
import { asObject, asText } from '../fields.ts'

/** A path is short; a register of all projects is not, but bounded all the same. Bytes. */
const PATH_BYTES = 16 * 1024
const REGISTER_BYTES = 1024 * 1024
const HASH = /^[0-9a-f]{64}$/

/** The absolute path of the project whose sessions lie in `chats`, below `sessionDir`; undefined where the program noted none. */
export function projectOf(chats: string, sessionDir: string): string | undefined {
  const folder = dirname(chats)
  return asText(headOfFile(join(folder, '.project_root'), PATH_BYTES))?.trim() ?? registered(basename(folder), dirname(sessionDir))
}

/** `projects.json` holds the short name of each project by its path. Older versions named the folder by the SHA-256 of the path. */
function registered(name: string, home: string): string | undefined {
  try {
    const register = asObject(asObject(JSON.parse(headOfFile(join(home, 'projects.json'), REGISTER_BYTES) ?? ''))?.projects)
    return Object.entries(register ?? {}).find(([path, short]) => short === name || (HASH.test(name) && name.startsWith(digest(path))))?.[0]
  } catch {
    return undefined // No register, or a damaged one: then the session's project stays unknown.
  }
}
