/** Copilot CLI's log, written through the port of logs; events as it writes them, with values of ours. */
import { join } from 'node:path'
import { copilot } from '../../src/hosts/copilot/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'

export const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }

export function sessionId(number: number): string {
  return `66666666-2222-4333-8444-${String(number).padStart(12, '0')}`
}

export function time(number: number): string {
  return new Date(Date.UTC(2026, 8, 1, 8) + number * 1000).toISOString()
}

export function event(type: string, session: string, number: number, data: object, fields: object = {}): string {
  return JSON.stringify({ type, data, id: `${session}-${number}`, timestamp: time(number), parentId: null, ...fields })
}

export function start(session: string, data: object = {}): string {
  const context = { cwd: '/home/u/shop', gitRoot: '/home/u/shop', branch: 'main' }
  return event('session.start', session, 0, { sessionId: session, version: 1, producer: 'copilot-agent', context, ...data })
}

export function user(session: string, number: number, content: string, data: object = {}, fields: object = {}): string {
  const transformedContent = `<current_datetime>${time(number)}</current_datetime>\n\n${content}`
  return event('user.message', session, number, { content, transformedContent, delivery: 'idle', ...data }, fields)
}

export function assistant(session: string, number: number, content: string, data: object = {}, fields: object = {}): string {
  return event('assistant.message', session, number, { messageId: `m${number}`, model: 'm1', content, toolRequests: [], ...data }, fields)
}

export const copilotLines: SourceFixture = {
  name: 'Copilot CLI',
  open: (directory) => copilot.source(directory, system),
  path: (directory, session) => join(directory, session, 'events.jsonl'),
  id: sessionId,
  opening: (session) => [start(session)],
  user,
  assistant,
  call: (session, number, command) =>
    event('tool.execution_start', session, number, { toolCallId: `call_${number}`, toolName: 'bash', arguments: { command } }),
  result: (session, number, content) =>
    event(
      'tool.execution_complete',
      session,
      number,
      { toolCallId: `call_${number}`, success: true, result: { content } },
      { id: `${session}-${number}r` },
    ),
  noise: (session, number, content) =>
    event('system.message', session, number, { role: 'system', content }, { id: `${session}-${number}n` }),
}

/** As older versions laid them out: one file a session. */
export const flatLines: SourceFixture = {
  ...copilotLines,
  name: 'Copilot CLI, one file a session',
  path: (directory, session) => join(directory, `${session}.jsonl`),
}

/** As the program does it: the first event has the id of the other's and a time of its own, all others are copied as they are. */
function fork([first = '', ...others]: readonly string[], _: string, to: string, number: number): string[] {
  const { data, ...begun } = JSON.parse(first) as { readonly data: object }
  return [JSON.stringify({ ...begun, timestamp: time(number), data: { ...data, sessionId: to } }), ...others]
}

function takeBack(session: string, first: number, number: number): string {
  return event('session.snapshot_rewind', session, number, { upToEventId: `${session}-${first}`, eventsRemoved: 1 })
}

export const copilotLog = fromLines(copilot, copilotLines, {}, { fork, takeBack })
