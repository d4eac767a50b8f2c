import { join } from 'node:path'
import type { HostSpec } from '../host-spec.ts'
import { projectsFolder } from './places.ts'

export const cursor: HostSpec = {
  host: 'cursor',
  binary: 'memu-cursor',
  title: 'Cursor',
  baseDir: (system) => join(system.home, '.memu', 'hosts', 'cursor'),
  /**
   * The transcripts of agents; what else Cursor keeps lies elsewhere and is read beside them. `--session-dir` names one place to read
   * alone: a folder with transcripts, a folder `chats` with stores of agents, or the editor's `User` folder wherever it was moved to.
   */
  sessionDir: projectsFolder,
  source: async (sessionDir, system) => (await import('./source.ts')).cursorSource(sessionDir, system),
  isRecord: (record) =>
    record.type === 'turn_ended' || (typeof record.role === 'string' && typeof record.message === 'object' && record.type === undefined),
  sessionIdEnv: 'CURSOR_CONVERSATION_ID',
}
