/** Lines as Cursor's agents write them, with values of ours. */
import { realSystem } from '../../src/util/system.ts'

export const system = { ...realSystem(), env: {}, home: '/home/u', now: () => new Date('2026-10-01T00:00:00Z') }

export function conversationId(number: number): string {
  return `33333333-2222-4333-8444-${String(number).padStart(12, '0')}`
}

export function said(role: 'user' | 'assistant', ...content: readonly unknown[]): string {
  return JSON.stringify({
    role,
    message: { content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)) },
  })
}

export function query(text: string, before = ''): string {
  return said('user', `${before}<user_query>\n${text}\n</user_query>`)
}

export function toolUse(name: string, input: unknown): object {
  return { type: 'tool_use', name, input }
}
