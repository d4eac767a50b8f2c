/**
 * The sessions of older versions of opencode, in files of JSON: `storage/session/<project>/<session>.json`,
 * `storage/message/<session>/<message>.json` and `storage/part/<message>/<part>.json`. Newer versions take them over into their database
 * and leave the files where they are. Ids sort by time.
 */
import { join } from 'node:path'
import { type JsonObject, openFile } from '../../util/jsonl.ts'
import { child, entries, fileState, isLogFile } from '../directory.ts'
import { asObject, asText } from '../fields.ts'
import { jsonOf, VALUE_LIMIT } from '../sqlite-log.ts'
import type { Report, SessionRef } from '../transcript-source.ts'
import type { MessageStore } from './conversation.ts'
import { sessionFacts } from './facts.ts'

const EXTENSION = '.json'
const silent: Report = () => {}

/** From directory entries alone: whether a session is a subagent's stands in its file, and is asked when it is read. */
export function storedSessions(storage: string, report: Report): SessionRef[] {
  const sessions = join(storage, 'session')
  return entries(sessions, report).flatMap((project) => {
    if (!project.isDirectory()) return []
    const folder = child(sessions, project.name)
    return names(folder, report).flatMap((id) => {
      const path = join(folder, id + EXTENSION)
      const state = fileState(path, report)
      const messages = names(join(storage, 'message', id), report).length
      if (state === undefined || messages === 0) return []
      return [{ id, owner: id, path, size: messages, modified: state.modified }]
    })
  })
}

/** Errors: `session_unreadable` where the session's file is gone or cannot be read. */
export function fileStore(storage: string, { id: session, path }: SessionRef): MessageStore {
  openFile(path).close()
  const info = readable(path)
  const messages = join(storage, 'message', session)
  const ids = names(messages, silent)
  return {
    snapshot: (use) => use(),
    *messages([, from]) {
      for (const id of ids) {
        if (id >= from) yield { id, created: 0, isLast: id === ids.at(-1), data: () => readJson(join(messages, id + EXTENSION)) }
      }
    },
    *parts(message, after) {
      const folder = join(storage, 'part', message)
      for (const id of names(folder, silent)) if (id > after) yield { id, data: () => readJson(join(folder, id + EXTENSION)) }
    },
    count: ([, id]) => (ids.includes(id) ? ids.filter((other) => other <= id).length : undefined),
    takenBack: () => asText(asObject(info?.revert)?.messageID),
    isCopy: () => false,
    facts: () => ({ ...sessionFacts(info ?? {}), ...(asText(info?.parentID) && { internal: true }) }),
  }
}

/** The ids that files in a folder are named after, in order. */
function names(folder: string, report: Report): string[] {
  return entries(folder, report)
    .filter((entry) => entry.name.endsWith(EXTENSION) && isLogFile(entry, child(folder, entry.name), report))
    .map(({ name }) => name.slice(0, -EXTENSION.length))
    .sort()
}

function readable(path: string): JsonObject | undefined {
  try {
    return readJson(path)
  } catch {
    return undefined // What it says of the session is not known then; its messages have files of their own.
  }
}

function readJson(path: string): JsonObject {
  const file = openFile(path)
  try {
    const size = fileState(path, silent)?.size ?? 0
    if (size > VALUE_LIMIT) throw new Error('the file is too long')
    const bytes = Buffer.alloc(size)
    return jsonOf(bytes.subarray(0, file.readAt(0, bytes)))
  } finally {
    file.close()
  }
}
