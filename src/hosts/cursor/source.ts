/** Cursor's sessions. */
import type { System } from '../../util/system.ts'
import type { TranscriptSource } from '../transcript-source.ts'
import { cursorTranscripts } from './transcripts.ts'

export function cursorSource(sessionDir: string, system: System): TranscriptSource {
  return cursorTranscripts(sessionDir, system)
}
