/** Gemini CLI's log, written through the port of logs; lines as it writes them, with values of ours. */
import { join } from 'node:path'
import { gemini } from '../../src/hosts/gemini/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'

export const PROJECT = 'shop'
export const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export function sessionId(number: number): string {
  return `session-2026-09-01T08-00-${number.toString(16).padStart(8, '0')}`
}

export function time(number: number): string {
  return new Date(Date.UTC(2026, 8, 1, 8) + number * 1000).toISOString()
}

export function header(session: string, fields: object = {}): string {
  const times = { startTime: time(0), lastUpdated: time(0) }
  return JSON.stringify({ sessionId: session, projectHash: '9c268dd2', ...times, kind: 'main', ...fields })
}

export function message(id: string, number: number, type: string, content: unknown, fields: object = {}): string {
  return JSON.stringify({ id, timestamp: time(number), type, content, ...fields })
}

export function user(id: string, number: number, text: string, fields: object = {}): string {
  return message(id, number, 'user', [{ text }], fields)
}

export function answer(id: string, number: number, content: unknown, fields: object = {}): string {
  return message(id, number, 'gemini', content, { thoughts: [], model: 'm1', ...fields })
}

/** An entry of an answer's `toolCalls`. */
export function toolCall(id: string, number: number, command: string, fields: object = {}): object {
  return { id, name: 'run_shell_command', args: { command }, status: 'executing', timestamp: time(number), ...fields }
}

export function response(id: string, output: string): object {
  return { functionResponse: { id, name: 'run_shell_command', response: { output } } }
}

export const geminiLines: SourceFixture = {
  name: 'Gemini CLI',
  open: (directory) => gemini.source(directory, system),
  path: (directory, session) => join(directory, PROJECT, 'chats', `${session}.jsonl`),
  id: sessionId,
  opening: (session) => [header(session)],
  user: (session, number, text) => user(`${session}-${number}`, number, text),
  assistant: (session, number, text) => answer(`${session}-${number}`, number, text),
  call: (session, number, command) =>
    answer(`${session}-${number}`, number, '', { toolCalls: [toolCall(`call_${number}`, number, command)] }),
  result: (session, number, output) => message(`${session}-${number}r`, number, 'user', [response(`call_${number}`, output)]),
  noise: (session, number, text) => message(`${session}-${number}n`, number, 'info', text),
}

export const geminiLog = fromLines(gemini, geminiLines)
