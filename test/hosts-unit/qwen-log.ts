/** Qwen Code's log, written through the port of logs; lines as it writes them, with values of ours. */
import { join } from 'node:path'
import { qwen } from '../../src/hosts/qwen/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'

export const SLUG = '-home-u-shop'
export const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export function sessionId(number: number): string {
  return `55555555-2222-4333-8444-${String(number).padStart(12, '0')}`
}

export function time(number: number): string {
  return new Date(Date.UTC(2026, 8, 1, 8) + number * 1000).toISOString()
}

const PROVENANCE: Readonly<Record<string, string>> = { user: 'real_user', assistant: 'assistant_output', tool_result: 'tool_result' }

/** A line of one type with the usual envelope; `fields` are added or replace. */
export function line(type: string, session: string, number: number, fields: object): string {
  return JSON.stringify({
    uuid: `${session}-${number}`,
    parentUuid: number > 1 ? `${session}-${number - 1}` : null,
    sessionId: session,
    timestamp: time(number),
    type,
    provenance: PROVENANCE[type] ?? 'system',
    cwd: '/home/u/shop',
    version: '0.24.4',
    gitBranch: 'main',
    ...fields,
  })
}

export function user(session: string, number: number, text: string, fields: object = {}): string {
  return line('user', session, number, { message: { role: 'user', parts: [{ text }] }, ...fields })
}

export function assistant(session: string, number: number, parts: readonly object[], fields: object = {}): string {
  return line('assistant', session, number, { model: 'm1', message: { role: 'model', parts }, ...fields })
}

export function call(number: number, command: string): object {
  return { functionCall: { id: `call_${number}`, name: 'run_shell_command', args: { command } } }
}

export function result(session: string, number: number, output: string, fields: object = {}): string {
  return line('tool_result', session, number, {
    uuid: `${session}-${number}r`,
    message: { role: 'user', parts: [{ functionResponse: { id: `call_${number}`, name: 'run_shell_command', response: { output } } }] },
    ...fields,
  })
}

export const qwenLines: SourceFixture = {
  name: 'Qwen Code',
  open: (directory) => qwen.source(directory, system),
  path: (directory, session) => join(directory, SLUG, 'chats', `${session}.jsonl`),
  id: sessionId,
  opening: (session) => [line('system', session, 0, { subtype: 'session_model', systemPayload: { model: 'm1' } })],
  user,
  assistant: (session, number, text) => assistant(session, number, [{ text }]),
  call: (session, number, command) => assistant(session, number, [call(number, command)]),
  result,
  noise: (session, number, text) =>
    line('system', session, number, {
      uuid: `${session}-${number}n`,
      subtype: 'ui_telemetry',
      systemPayload: { uiEvent: { response_text: text } },
    }),
}

/** As the program does it: every record is copied with its id, and says where it is from. */
function fork(lines: readonly string[], from: string, to: string): string[] {
  return lines.map((text) => {
    const record = JSON.parse(text) as { readonly uuid: string }
    return JSON.stringify({ ...record, sessionId: to, forkedFrom: { sessionId: from, messageUuid: record.uuid } })
  })
}

function takeBack(session: string, first: number, number: number): string {
  return line('system', session, number, { subtype: 'rewind', parentUuid: `${session}-${first - 1}`, systemPayload: {} })
}

export const qwenLog = fromLines(qwen, qwenLines, {}, { fork, takeBack })
