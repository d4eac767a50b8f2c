/** WorkBuddy's log, written through the port of logs; lines as it writes them, with values of ours. */
import { join } from 'node:path'
import { workbuddy } from '../../src/hosts/workbuddy/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'

export const SLUG = 'home-u-shop'
export const system = { ...realSystem(), home: '/nowhere', env: {}, now: () => new Date('2026-10-01T00:00:00Z') }

export function sessionId(number: number): string {
  return `33333333-2222-4333-8444-${String(number).padStart(12, '0')}`
}

export function line(type: string, session: string, number: number, fields: object): string {
  const timestamp = Date.UTC(2026, 8, 1, 8) + number * 1000
  return JSON.stringify({ id: `${session}-${number}`, type, timestamp, sessionId: session, cwd: '/home/u/shop', ...fields })
}

/** `text` as it stands in the log, with what the program puts around it. */
export function raw(session: string, number: number, text: string, fields: object = {}): string {
  return line('message', session, number, { role: 'user', content: [{ type: 'input_text', text }], ...fields })
}

export function user(session: string, number: number, text: string): string {
  return raw(session, number, `<system-reminder>today is a day</system-reminder>\n<user_query>${text}</user_query>`)
}

export function assistant(session: string, number: number, text: string): string {
  return line('message', session, number, { role: 'assistant', content: [{ type: 'output_text', text }] })
}

export const workbuddyLines: SourceFixture = {
  name: 'WorkBuddy',
  open: (directory) => workbuddy.source(directory, system),
  path: (directory, session) => join(directory, SLUG, `${session}.jsonl`),
  id: sessionId,
  opening: (session) => [line('file-history-snapshot', session, 0, { snapshot: {} })],
  user,
  assistant,
  call: (session, number, command) =>
    line('function_call', session, number, { name: 'Bash', callId: `call_${number}`, arguments: JSON.stringify({ command }) }),
  result: (session, number, text) =>
    line('function_call_result', session, number, {
      id: `${session}-${number}r`,
      name: 'Bash',
      callId: `call_${number}`,
      status: 'completed',
      output: { type: 'text', text },
    }),
  noise: (session, number, text) =>
    line('reasoning', session, number, { id: `${session}-${number}n`, rawContent: [{ type: 'reasoning_text', text }] }),
}

export const workbuddyLog = fromLines(workbuddy, workbuddyLines)
