/** Entries as pi, OpenClaw and Cola write them, with values of ours. */
import { time } from './claude-code-lines.ts'

export function sessionId(number: number): string {
  return `8f0c1d2e-0000-4000-8000-${String(number).padStart(12, '0')}`
}

/** Eight hexadecimal digits, as pi numbers entries; one message can hold a call and its result shares the number. */
export function entryId(number: number, kind = 0): string {
  return (number * 16 + kind).toString(16).padStart(8, '0')
}

export function header(session: string, fields: object = {}): string {
  return JSON.stringify({ type: 'session', version: 3, id: session, timestamp: time(0), cwd: '/home/u/shop', ...fields })
}

/** An entry of any type; `fields` are added or replace. */
export function entry(type: string, number: number, fields: object = {}, kind = 0): string {
  const parentId = number > 1 ? entryId(number - 1) : null
  return JSON.stringify({ type, id: entryId(number, kind), parentId, timestamp: time(number), ...fields })
}

export function message(number: number, role: string, content: unknown, fields: object = {}, kind = 0): string {
  return entry('message', number, { message: { role, content, ...fields } }, kind)
}

export function call(number: number, command: string, name = 'bash'): string {
  return message(number, 'assistant', [{ type: 'toolCall', id: `call_${number}`, name, arguments: { command } }], { stopReason: 'toolUse' })
}

export function result(number: number, output: string, fields: object = {}): string {
  const content = [{ type: 'text', text: output }]
  return message(number, 'toolResult', content, { toolCallId: `call_${number}`, toolName: 'bash', isError: false, ...fields }, 1)
}

/** The same as one fixture of lines: what the three hosts share. */
export const entryLines = {
  id: sessionId,
  opening: (session: string) => [header(session), entry('model_change', 0, { provider: 'p', modelId: 'm1' }, 2)],
  user: (_: string, number: number, text: string) => message(number, 'user', text),
  assistant: (_: string, number: number, text: string) => message(number, 'assistant', [{ type: 'text', text }], { stopReason: 'stop' }),
  call: (_: string, number: number, command: string) => call(number, command),
  result: (_: string, number: number, output: string) => result(number, output),
  noise: (_: string, number: number, text: string) => entry('custom', number, { customType: 'state', data: { text } }, 3),
}
