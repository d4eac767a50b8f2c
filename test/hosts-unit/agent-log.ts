/** Logs of agents that have no program of their own, one fixture a shape of record. */
import { join } from 'node:path'
import { agent } from '../../src/hosts/agent/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'

export const system = { ...realSystem(), env: {}, now: () => new Date('2026-09-02T00:00:00.000Z') }

const SECOND = 1000
const BEGAN = Date.UTC(2026, 8, 1, 8)
export const time = (number: number): string => new Date(BEGAN + number * SECOND).toISOString()

type Lines = Pick<SourceFixture, 'user' | 'assistant' | 'call' | 'result' | 'noise'>
type Record = Readonly<{ [field: string]: unknown }>

function fixture(name: string, extension: string, opening: (session: string) => readonly Record[], lines: Lines): SourceFixture {
  return {
    name: `An agent that logs by ${name}`,
    open: (directory) => agent.source(directory, system),
    path: (directory, session) => join(directory, `${session}.${extension}`),
    id: (number) => `shop/session-${number}`,
    opening: (session) => opening(session).map((record) => JSON.stringify(record)),
    ...lines,
  }
}

const json = (record: Record): string => JSON.stringify(record)
const shell = (command: string): string => JSON.stringify({ command })

/** The lines of a shape that says what is said and what is called in the same kind of record. */
function lines(record: (number: number, who: 'user' | 'assistant' | 'tool', body: Record) => Record, noise: Record): Lines {
  const made = (number: number, who: 'user' | 'assistant' | 'tool', body: Record) => json(record(number, who, body))
  return {
    user: (_, number, text) => made(number, 'user', { text }),
    assistant: (_, number, text) => made(number, 'assistant', { text }),
    call: (_, number, command) => made(number, 'assistant', { command }),
    result: (_, number, output) => made(number, 'tool', { output }),
    noise: (_, number, text) => json({ ...noise, timestamp: time(number), text }),
  }
}

const chatOpening = () => [{ role: 'system', content: 'You are an agent.' }]

const chatRow = (number: number, role: string, { text, command, output }: Record): Record => {
  if (command !== undefined) {
    const call = { id: `c${number}`, type: 'function', function: { name: 'shell', arguments: shell(String(command)) } }
    return { role, content: null, tool_calls: [call] }
  }
  return output === undefined ? { role, content: text } : { role, tool_call_id: `c${number}`, content: output }
}

const chatRows = fixture('chat rows', 'jsonl', chatOpening, {
  ...lines((number, role, body) => ({ ...chatRow(number, role, body), timestamp: time(number) }), { level: 'info' }),
})

const bareRows: SourceFixture = {
  ...fixture('bare chat rows', 'jsonl', chatOpening, { ...lines(chatRow, { level: 'info' }) }),
  lacks: { ids: true },
}

const payloads = fixture(
  'payloads',
  'jsonl',
  (session) => [{ timestamp: time(0), type: 'session_meta', payload: { id: session, cwd: '/home/u/shop' } }],
  {
    ...lines(
      (number, role, { text, command, output }) => {
        const payload =
          command !== undefined
            ? { type: 'function_call', name: 'shell', call_id: `c${number}`, arguments: shell(String(command)) }
            : output !== undefined
              ? { type: 'function_call_output', call_id: `c${number}`, output }
              : { type: 'message', role, content: [{ type: 'input_text', text }] }
        return { timestamp: time(number), payload }
      },
      { payload: { type: 'reasoning' } },
    ),
  },
)

const tree = fixture(
  'a tree of messages',
  'jsonl',
  (session) => [{ type: 'session', version: 3, id: session, timestamp: time(0), cwd: '/home/u/shop' }],
  {
    ...lines(
      (number, role, { text, command, output }) => {
        const content =
          command === undefined ? [{ type: 'text', text }] : [{ type: 'toolCall', id: `c${number}`, name: 'bash', arguments: { command } }]
        const message =
          output === undefined
            ? { role, content }
            : { role: 'toolResult', toolCallId: `c${number}`, content: [{ type: 'text', text: output }] }
        return { type: 'message', id: `${number}-${role}`, timestamp: time(number), message }
      },
      { type: 'compaction' },
    ),
  },
)

const typed = fixture('typed records', 'ndjson', () => [{ type: 'summary', summary: 'Fix checkout' }], {
  ...lines(
    (number, role, { text, command, output }) => {
      const content =
        command !== undefined
          ? [
              { type: 'thinking', thinking: 'hm' },
              { type: 'tool_use', id: `c${number}`, name: 'Bash', input: { command } },
            ]
          : output !== undefined
            ? [{ type: 'tool_result', tool_use_id: `c${number}`, content: output }]
            : text
      const type = role === 'assistant' ? role : 'user'
      return {
        type,
        uuid: `${number}-${role}`,
        timestamp: time(number),
        cwd: '/home/u/shop',
        gitBranch: 'main',
        message: { role: type, content },
      }
    },
    { type: 'progress' },
  ),
})

const rolesAndMessages = fixture('role and message', 'jsonl', () => [], {
  ...lines(
    (number, role, { text, command, output }) => {
      const block =
        command !== undefined
          ? { type: 'tool_use', id: `c${number}`, name: 'Shell', input: { command } }
          : output !== undefined
            ? { type: 'tool_result', tool_use_id: `c${number}`, content: output }
            : { type: 'text', text }
      return { role: role === 'tool' ? 'user' : role, message: { content: [block] }, timestamp: time(number) }
    },
    { type: 'turn_ended' },
  ),
})

const events = fixture(
  'events',
  'jsonl',
  () => [{ type: 'session.start', timestamp: time(0), data: { context: { cwd: '/home/u/shop', branch: 'main' } } }],
  {
    ...lines(
      (number, role, { text, command, output }) => {
        const base = { id: `${number}-${role}`, timestamp: time(number) }
        if (command !== undefined)
          return { ...base, type: 'tool.execution_start', data: { toolCallId: `c${number}`, toolName: 'bash', arguments: { command } } }
        if (output !== undefined)
          return {
            ...base,
            type: 'tool.execution_complete',
            data: { toolCallId: `c${number}`, success: true, result: { content: output } },
          }
        return { ...base, type: `${role}.message`, data: { content: text } }
      },
      { type: 'system.message' },
    ),
  },
)

const parts = fixture('parts', 'jsonl', () => [{ sessionId: 's', kind: 'main', directories: ['/home/u/shop'] }], {
  ...lines(
    (number, role, { text, command, output }) => {
      const base = { id: `${number}-${role}`, timestamp: time(number) }
      if (command !== undefined)
        return { ...base, type: 'gemini', content: '', toolCalls: [{ id: `c${number}`, name: 'shell', args: { command } }] }
      if (output !== undefined) {
        const functionResponse = { id: `c${number}`, name: 'shell', response: { output } }
        return { ...base, type: 'user', content: [{ functionResponse }] }
      }
      return { ...base, type: role === 'assistant' ? 'gemini' : 'user', content: [{ text }] }
    },
    { type: 'info' },
  ),
})

const others: readonly SourceFixture[] = [payloads, tree, typed, rolesAndMessages, bareRows, events, parts]
export const shapes: readonly SourceFixture[] = [chatRows, ...others]

export const agentLog = fromLines(agent, chatRows)
/** The other shapes: each is read by a few lines of its own. */
export const agentShapes = others.map((lines) =>
  fromLines(agent, lines, { sharesParser: true, ...(lines === bareRows && { lacks: { times: true } }) }),
)
