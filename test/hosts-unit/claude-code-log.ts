/** Claude Code's log, written through the port of logs. */
import { join } from 'node:path'
import { claudeCode } from '../../src/hosts/registry.ts'
import { realSystem } from '../../src/util/system.ts'
import type { HostLogFixture } from '../contract/host-log.ts'
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

/** As versions do that mark what they copy. */
function fork(lines: readonly string[], from: string, to: string): string[] {
  return lines.map((text) => {
    const record = JSON.parse(text) as { readonly uuid?: string }
    const marked = record.uuid !== undefined && { forkedFrom: { sessionId: from, messageUuid: record.uuid } }
    return JSON.stringify({ ...record, sessionId: to, ...marked })
  })
}

/** As others do, which note the prompt before the records that they copy, and leave these as they are but for the session. */
function forkUnmarked(lines: readonly string[], _: string, to: string, number: number): string[] {
  const prompt = JSON.stringify({ type: 'queue-operation', operation: 'enqueue', timestamp: time(number), sessionId: to, content: 'x' })
  return [prompt, ...lines.slice(1).map((text) => JSON.stringify({ ...(JSON.parse(text) as object), sessionId: to }))]
}

export const claudeCodeLog = fromLines(claudeCode, claudeCodeLines, {}, { fork })
/** Another way to fork the same log: for the contract alone. */
export const claudeCodeUnmarked = (): HostLogFixture =>
  fromLines(claudeCode, claudeCodeLines, { name: 'Claude Code, unmarked forks' }, { fork: forkUnmarked })
