import type { System } from '../../util/system.ts'
import type { TranscriptSource } from '../transcript-source.ts'

export function codexSource(_sessionDir: string, _system: System): TranscriptSource {
  throw new Error('to be written')
}
