/** Lines as Cowork's audit writes them, with values of ours. */
import { realSystem } from '../../src/util/system.ts'

export const system = { ...realSystem(), env: {}, home: '/home/u', now: () => new Date('2026-10-01T00:00:00Z') }

export function coworkId(number: number): string {
  return `local_22222222-2222-4333-8444-${String(number).padStart(12, '0')}`
}

export function time(number: number): string {
  return new Date(Date.UTC(2026, 8, 1, 8) + number * 1000).toISOString()
}

export function audit(type: string, session: string, number: number, fields: object): string {
  return JSON.stringify({
    type,
    session_id: 'inner-1',
    uuid: `${session}-${number}`,
    ...fields,
    _audit_timestamp: time(number),
    _audit_hmac: '00',
  })
}

export function speech(role: 'user' | 'assistant', session: string, number: number, content: unknown, fields: object = {}): string {
  return audit(role, session, number, { parent_tool_use_id: null, message: { role, content }, ...fields })
}
