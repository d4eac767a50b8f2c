/** Cursor's sessions: transcripts of its agents, and chats of its editor. */
import type { System } from '../../util/system.ts'
import { child, isDirectory } from '../directory.ts'
import { regions } from '../regions.ts'
import type { TranscriptSource } from '../transcript-source.ts'
import { cursorEditor } from './editor.ts'
import { projectsFolder, userFolder } from './places.ts'
import { cursorTranscripts } from './transcripts.ts'

/**
 * Cursor's own place stands for both; another one is either the editor's `User` folder or holds transcripts, which its content tells.
 * An agent in the editor is logged twice, under one id. Its chat is read then, which has ids, times and results of tools; the transcript
 * has none of these, and so the two would not know each other's records.
 */
export function cursorSource(sessionDir: string, system: System): TranscriptSource {
  if (sessionDir !== projectsFolder(system)) {
    return isUserFolder(sessionDir) ? cursorEditor(sessionDir, system) : cursorTranscripts(sessionDir, system)
  }
  const user = userFolder(system)
  return regions(
    [
      { place: user, source: cursorEditor(user, system) },
      { place: sessionDir, source: cursorTranscripts(sessionDir, system) },
    ],
    'first',
  )
}

function isUserFolder(path: string): boolean {
  return ['globalStorage', 'workspaceStorage'].some((name) => isDirectory(child(path, name)))
}
