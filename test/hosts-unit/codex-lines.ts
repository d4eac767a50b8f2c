/** Lines as Codex writes them, with values of ours. */
import { time } from './claude-code-lines.ts'

/** A thread's id: a UUIDv7 of a moment before the first line. */
export function threadId(number: number, at = Date.UTC(2026, 8, 1, 8) - 1000): string {
  const hex = at.toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-${String(number).padStart(12, '0')}`
}

export function line(type: string, number: number, payload: object): string {
  return JSON.stringify({ timestamp: time(number), type, payload })
}

export function meta(thread: string, fields: object = {}): string {
  return line('session_meta', 0, {
    id: thread,
    session_id: thread,
    timestamp: time(0),
    cwd: '/home/u/shop',
    source: 'cli',
    thread_source: 'user',
    ...fields,
  })
}

export function turn(number: number, id: string): string {
  return line('turn_context', number, { turn_id: id, cwd: '/home/u/shop', model: 'm1' })
}

export function item(number: number, payload: object): string {
  return line('response_item', number, payload)
}

export function message(number: number, role: string, text: string | readonly string[], fields: object = {}): string {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  const content = [text].flat().map((part) => ({ type, text: part }))
  return item(number, { type: 'message', role, content, ...fields })
}
