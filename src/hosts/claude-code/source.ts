/** Claude Code's sessions: its own transcripts, and those of Cowork, which is the same agent inside Claude Desktop. */
import type { System } from '../../util/system.ts'
import { regions } from '../regions.ts'
import type { TranscriptSource } from '../transcript-source.ts'
import { coworkSource } from './cowork.ts'
import { coworkRoots } from './cowork-roots.ts'
import { claudeCodeTranscripts } from './transcripts.ts'

/** `withCowork`: also the sessions of Cowork, wherever they lie; not where the user named a folder to read. */
export function claudeCodeSource(sessionDir: string, withCowork: boolean, system: System): TranscriptSource {
  const transcripts = claudeCodeTranscripts(sessionDir, system)
  if (!withCowork) return transcripts
  const cowork = coworkRoots(system).map((root) => ({ place: root.path, source: coworkSource(root, system) }))
  return regions([{ place: sessionDir, source: transcripts }, ...cowork])
}
