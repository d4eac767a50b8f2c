/** Cursor's sessions: transcripts and stores of its agents, and chats of its editor. */
import { basename } from 'node:path'
import type { System } from '../../util/system.ts'
import { child, isDirectory } from '../directory.ts'
import { regions } from '../regions.ts'
import type { TranscriptSource } from '../transcript-source.ts'
import { cursorAgentStores } from './agent-store.ts'
import { cursorEditor } from './editor.ts'
import { chatsFolder, projectsFolder, userFolder } from './places.ts'
import { cursorTranscripts } from './transcripts.ts'

/**
 * Cursor's own place stands for all; another one is the editor's `User` folder, or holds stores, or transcripts, which its content tells.
 * One conversation may be logged several times, under one id, in forms that have only its words in common. An agent in the editor is
 * read from its chat, which has ids, times and results of tools. One of the command line is read from its transcript, which is never
 * shortened, and from its store until the transcript is there.
 */
export function cursorSource(sessionDir: string, system: System): TranscriptSource {
  if (sessionDir !== projectsFolder(system)) {
    if (isUserFolder(sessionDir)) return cursorEditor(sessionDir, system)
    return basename(sessionDir) === 'chats' ? cursorAgentStores(sessionDir, system) : cursorTranscripts(sessionDir, system)
  }
  const user = userFolder(system)
  const chats = chatsFolder(system)
  return regions(
    [
      { place: user, source: cursorEditor(user, system) },
      { place: sessionDir, source: cursorTranscripts(sessionDir, system) },
      { place: chats, source: cursorAgentStores(chats, system) },
    ],
    'first',
  )
}

function isUserFolder(path: string): boolean {
  return ['globalStorage', 'workspaceStorage'].some((name) => isDirectory(child(path, name)))
}
