/** Claude Code's log, written through the port of logs. */
import { join } from 'node:path'
import { claudeCode } from '../../src/hosts/registry.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { assistant, line, sessionId, time, user } from './claude-code-lines.ts'

export const SLUG = '-home-u-shop'
export const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export const claudeCodeLines: SourceFixture = {
  name: 'Claude Code',
  open: (directory) => claudeCode.source(directory, system),
  path: (directory, session) => join(directory, SLUG, `${session}.jsonl`),
  id: sessionId,
  opening: (session) => [
    JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp: time(0), sessionId: session, content: 'not this' }),
  ],
  user: (session, number, text) => user(session, number, text),
  assistant: (session, number, text) => assistant(session, number, text),
  call: (session, number, command) =>
    assistant(session, number, [{ type: 'tool_use', id: `toolu_${number}`, name: 'Bash', input: { command } }]),
  result: (session, number, output) =>
    user(session, number, [{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: output }], {
      uuid: `${session}-${number}r`,
    }),
  noise: (session, number, text) => line('progress', session, number, { data: { type: 'bash_progress', output: text } }),
}

export const claudeCodeLog = fromLines(claudeCode, claudeCodeLines)
