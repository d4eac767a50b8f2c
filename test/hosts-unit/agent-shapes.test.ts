import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { agentDialect, type State } from '../../src/hosts/agent/classify.ts'
import { humanText } from '../../src/hosts/agent/human-text.ts'
import { recognise, SHAPES } from '../../src/hosts/agent/shapes.ts'

const NOW = Date.UTC(2026, 8, 2)

function read(records: readonly object[], isSubagent = false) {
  const dialect = agentDialect({ isSubagent, now: NOW })
  const state: State = dialect.restore(undefined)
  const made = records.flatMap((record) => [...dialect.classify({ ...record }, state)])
  return { made, facts: dialect.facts(state) }
}
const told = (...records: object[]) =>
  read(records).made.map(({ kind, role, text, tool }) => (kind === 'message' ? `${role}: ${text}` : `${tool?.part}: ${text}`))

const user = { type: 'user', uuid: 'u1', message: { role: 'user', content: 'hello' } }
const event = (type: string, data: object, more: object = {}) => ({ id: 'e1', type, data, ...more })

describe('a record of an unknown agent', () => {
  it.each<[string, object, string[]]>([
    ['a payload', { payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] } }, ['user: hi']],
    ['a payload without its envelope', { type: 'function_call', name: 'shell', arguments: '{"cmd":"ls"}', call_id: 'c' }, ['call: ls']],
    ['a tree of messages', { type: 'message', id: 'm', message: { role: 'assistant', content: 'hi' } }, ['assistant: hi']],
    [
      'a result in a tree',
      { type: 'message', id: 'm', message: { role: 'toolResult', toolCallId: 'c', content: 'done' } },
      ['result: done'],
    ],
    ['a typed record', user, ['user: hello']],
    ['a role and a message', { role: 'assistant', message: { content: [{ type: 'text', text: 'hi' }] } }, ['assistant: hi']],
    ['a message with the role inside', { message: { role: 'user', content: 'hi' }, contextItems: [] }, ['user: hi']],
    ['a chat row', { role: 'assistant', content: 'hi' }, ['assistant: hi']],
    ['a result in a chat', { role: 'tool', tool_call_id: 'c', content: [{ type: 'text', text: 'done' }] }, ['result: done']],
    ['an event', event('user.message', { content: 'hi', transformedContent: '<x>hi</x>' }), ['user: hi']],
    ['parts', { id: 'm', type: 'gemini', content: 'hi' }, ['assistant: hi']],
    [
      'parts in a typed record',
      { type: 'assistant', uuid: 'a', message: { role: 'model', parts: [{ text: 'hm', thought: true }, { text: 'hi' }] } },
      ['assistant: hi'],
    ],
    [
      'a wire',
      { type: 'context.append_loop_event', event: { type: 'content.part', uuid: 'p', part: { type: 'text', text: 'hi' } } },
      ['assistant: hi'],
    ],
    [
      'a request of Goose',
      {
        role: 'assistant',
        content: [
          { type: 'toolRequest', id: 't', toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } } },
        ],
      },
      ['call: ls'],
    ],
    [
      'a response of Goose',
      {
        role: 'user',
        content: [{ type: 'toolResponse', id: 't', toolResult: { status: 'success', value: [{ type: 'text', text: 'done' }] } }],
      },
      ['result: done'],
    ],
  ])('is understood as %s', (_, record, expected) => expect(told(record)).toEqual(expected))

  it.each<[string, object]>([
    ['the system prompt of a chat', { role: 'system', content: 'You are an agent.' }],
    ['a developer’s message', { payload: { type: 'message', role: 'developer', content: [{ type: 'input_text', text: 'x' }] } }],
    ['reasoning', { payload: { type: 'reasoning', summary: [{ type: 'summary_text', text: 'x' }] } }],
    ['thinking', { type: 'assistant', uuid: 'a', message: { content: [{ type: 'thinking', thinking: 'x' }] } }],
    ['Kimi’s thinking', { role: 'assistant', content: [{ type: 'think', think: 'x' }] }],
    ['a picture alone', { role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }] }],
    ['an injected block', { role: 'user', content: '<system-reminder>x</system-reminder>' }],
    ['instructions of a project', { role: 'user', content: '# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>x</INSTRUCTIONS>' }],
    ['a note of the program’s own', { ...user, isMeta: true }],
    ['a summary after a compaction', { ...user, isCompactSummary: true }],
    ['what an agent told another', { ...user, isSidechain: true }],
    ['a copy that was shown again', { ...user, isReplay: true }],
    [
      'a message of another session',
      { type: 'message', id: 'm', message: { role: 'user', content: 'x', provenance: { kind: 'inter_session' } } },
    ],
    ['a wake-up', { ...user, origin: { kind: 'task-notification' } }],
    ['what the program said of an error', { type: 'assistant', uuid: 'a', message: { model: '<synthetic>', content: 'API Error' } }],
    ['the autopilot', event('user.message', { content: 'Continue', isAutopilotContinuation: true })],
    ['a skill', event('user.message', { content: 'x', source: 'skill-y' })],
    ['an agent that was spawned', event('assistant.message', { content: 'x' }, { agentId: 'a2' })],
    ['an injection on a wire', { type: 'context.append_message', message: { role: 'user', content: 'x', origin: { kind: 'injection' } } }],
    ['an unknown role', { role: '_checkpoint', content: 'x' }],
    ['an unknown type', { type: 'progress', message: { role: 'user', content: 'x' } }],
    ['an unknown event', event('system.message', { content: 'x' })],
    ['an event that repeats an item', { type: 'event_msg', payload: { type: 'user_message', message: 'x' } }],
    ['a line of another log', { level: 'info', message: 'started' }],
    ['nothing at all', {}],
  ])('is nothing that was said where it is %s', (_, record) => expect(told(record)).toEqual([]))

  it('is a tool’s where a user record holds a result, whoever it says it is from', () => {
    const content = [{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'text', text: 'fail' }], is_error: true }]
    const [record] = read([{ type: 'user', uuid: 'u', message: { role: 'user', content } }]).made
    expect(record).toMatchObject({ kind: 'tool', role: 'tool', text: 'fail', tool: { part: 'result', call: 't', failed: true } })
  })

  it('holds what is said and what is called, each in its own record', () => {
    const calls = [{ id: 'c', type: 'function', function: { name: 'shell', arguments: '{"command":"npm test"}' } }]
    expect(told({ role: 'assistant', content: 'Let me see.', tool_calls: calls })).toEqual(['assistant: Let me see.', 'call: npm test'])
    const request = { toolCallId: 'c', name: 'bash', arguments: { command: 'npm test' } }
    expect(told(event('assistant.message', { content: '', toolRequests: [request] }))).toEqual(['call: npm test'])
  })

  it('gives a call and its result of Gemini’s, and the history that is set again, under the keys that they had', () => {
    const call = {
      id: 'c',
      name: 'shell',
      args: { command: 'ls' },
      result: [{ functionResponse: { id: 'c', response: { output: 'tax.ts' } } }],
    }
    const messages = [
      { id: 'm1', type: 'user', content: [{ text: 'list' }] },
      { id: 'm2', type: 'gemini', content: 'Here.', toolCalls: [call] },
    ]
    const once = read(messages).made
    expect(once.map(({ text }) => text)).toEqual(['list', 'Here.', 'ls', 'tax.ts'])
    expect(read([{ $set: { messages } }]).made.map(({ key }) => key)).toEqual(once.map(({ key }) => key))
  })

  it('keeps a word that is said twice where the log has neither ids nor times, and its keys when the end is cut off', () => {
    const said = ['go on', 'shall I deploy?', 'yes', 'and the docs?', 'yes'].map((content, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content,
    }))
    const keys = read(said).made.map(({ key }) => key)
    expect(new Set(keys).size).toBe(5)
    expect(read(said.slice(0, 3)).made.map(({ key }) => key)).toEqual(keys.slice(0, 3))
  })

  it('holds only tools in the log of a subagent', () => {
    const content = [
      { type: 'text', text: 'Looking.' },
      { type: 'tool_use', id: 't', name: 'Bash', input: { command: 'ls' } },
    ]
    expect(read([{ type: 'assistant', uuid: 'a', message: { content } }, user], true).made.map(({ text }) => text)).toEqual(['ls'])
  })

  it('tells of the session what it says, and takes no title from a message', () => {
    const { facts } = read([
      { type: 'session_start', title: 'Fix tax', cwd: '/home/u/shop' },
      { type: 'summary', summary: 'a summary' },
      { ...user, title: 'not this', cwd: '/elsewhere', gitBranch: 'HEAD' },
      { ...user, git: { branch: 'main' } },
    ])
    expect(facts).toEqual({ title: 'Fix tax', project: '/home/u/shop', branch: 'main' })
    expect(
      read([
        { type: 'session', cwd: 'relative' },
        { type: 'session', cwd: 7 },
      ]).facts,
    ).toEqual({})
  })

  it('never ends a read, whatever it holds', () => {
    const names = [
      'type',
      'role',
      'message',
      'content',
      'payload',
      'data',
      'parts',
      'toolCalls',
      'tool_calls',
      '$set',
      'messages',
      'timestamp',
      'id',
      'git',
    ]
    const values = fc.oneof(
      fc.constantFrom('user', 'assistant', 'message', 'tool', 'user.message', 'gemini', 'tool_use'),
      fc.jsonValue(),
      fc.date().map(String),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        values,
        fc.dictionary(fc.constantFrom(...names), tie('value')),
        fc.array(tie('value'), { maxLength: 3 }),
      ),
    }))
    const record = fc.dictionary(fc.constantFrom(...names), value)
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (records) => {
        for (const { kind, text, key } of read(records).made) {
          expect(typeof text).toBe('string')
          expect(key).not.toBe('')
          if (kind === 'message') expect(text.trim()).not.toBe('')
        }
      }),
      { numRuns: 300 },
    )
  })

  it('has one shape alone, the first that fits', () => {
    expect(SHAPES.map(({ name }) => name).slice(0, 5)).toEqual(['payload', 'message tree', 'typed record', 'role and message', 'chat row'])
    expect(recognise({ ...user, role: 'user', content: 'x' })?.shape).toBe('typed record')
  })
})

describe('the words of a person', () => {
  it.each([
    ['<user_query>\nwhy?\n</user_query>', 'why?'],
    ['<timestamp>now</timestamp>\n<user_query>why?</user_query>', 'why?'],
    ['<task>\nfix it\n</task>\n<environment_details>x</environment_details>', 'fix it'],
    ['<user_input mode="act">fix it</user_input>', 'fix it'],
    ['<command-name>/review</command-name><command-args>tax.ts</command-args>', 'tax.ts'],
    ['<hook_context>remembered</hook_context> why?', 'why?'],
    ['[Request interrupted by user]', ''],
    ['what does <system-reminder>x</system-reminder> do?', 'what does <system-reminder>x</system-reminder> do?'],
    ['<system-reminder> is a tag', '<system-reminder> is a tag'],
    ['<div>my markup</div>', '<div>my markup</div>'],
    ['<context>we use pnpm</context> why?', '<context>we use pnpm</context> why?'],
  ])('in %j are %j', (text, expected) => expect(humanText(text)).toBe(expected))

  it('are all of a text that begins with no tag, and what is left is never made up', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const left = humanText(text)
        if (!/^\s*[<#[]/.test(text)) expect(left).toBe(text.trim())
        for (const line of left.split('\n')) expect(text).toContain(line)
      }),
    )
  })
})
