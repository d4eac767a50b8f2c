/** Writes a conversation as Codex logs it: a rollout of response items, with its own blocks in the user's name and its events. */
import { join } from 'node:path'
import type { LogFile } from './claude-code-log.ts'
import { clock, uuidOf } from './clock.ts'
import type { Conversation, Turn } from './conversation.ts'

const VERSION = '0.171.0'

export function codexLog(conversation: Conversation, home: string, now: Date): LogFile {
  const thread = uuidOf('codex', conversation.title)
  const cwd = join(home, conversation.project)
  const time = clock(now, conversation.daysAgo)
  const lines: object[] = []
  let last = time.started.toISOString()

  const add = (type: string, payload: object): void => {
    last = time.next()
    lines.push({ timestamp: last, type, payload })
  }
  const item = (payload: object): void => add('response_item', payload)
  const message = (role: string, kind: string, ...texts: readonly string[]): void =>
    item({ type: 'message', role, content: texts.map((text) => ({ type: kind, text })) })

  add('session_meta', {
    id: thread,
    session_id: thread,
    timestamp: time.started.toISOString(),
    cwd,
    originator: 'codex_cli_rs',
    cli_version: VERSION,
    source: 'cli',
    thread_source: 'user',
    git: { branch: 'main' },
  })
  message('developer', 'input_text', '<permissions instructions>Writing is allowed in the workspace.</permissions instructions>')
  message('user', 'input_text', `<environment_context>\n  <cwd>${cwd}</cwd>\n</environment_context>`)
  add('turn_context', { turn_id: uuidOf(thread, 'turn'), cwd, approval_policy: 'on-request', model: 'gpt-demo' })
  for (const [index, turn] of conversation.turns.entries()) {
    const call = `call_${thread.slice(0, 6)}${index}`
    if ('user' in turn) message('user', 'input_text', turn.user)
    else if ('injected' in turn) message('developer', 'input_text', turn.injected)
    else if ('agent' in turn) {
      item({ type: 'reasoning', summary: [], content: null, encrypted_content: 'Z0FBQUFB' })
      message('assistant', 'output_text', turn.agent)
      add('event_msg', { type: 'agent_message', message: turn.agent })
    } else for (const payload of toolItems(turn, call)) item(payload)
  }
  add('event_msg', { type: 'token_count', info: { total_token_usage: { input_tokens: 5200, output_tokens: 640 } } })
  const day = time.started.toISOString()
  const written = day.slice(0, 19).replaceAll(':', '-')
  return {
    path: join('.codex', 'sessions', ...day.slice(0, 10).split('-'), `rollout-${written}-${thread}.jsonl`),
    text: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    ended: new Date(last),
  }
}

function toolItems(turn: Extract<Turn, { run: string } | { writes: string }>, call_id: string): object[] {
  if ('run' in turn) {
    const head = ['Chunk ID: 3f9a1c', 'Wall time: 0.8 seconds', `Process exited with code ${turn.fails === true ? 1 : 0}`]
    const output = [...head, 'Original token count: 120', 'Output:', turn.prints].join('\n')
    return [
      { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: turn.run }), call_id },
      { type: 'function_call_output', call_id, output },
    ]
  }
  const added = turn.content.split('\n').map((line) => `+${line}`)
  const input = ['*** Begin Patch', `*** Add File: ${turn.writes}`, ...added, '*** End Patch'].join('\n')
  return [
    { type: 'custom_tool_call', status: 'completed', call_id, name: 'apply_patch', input },
    { type: 'custom_tool_call_output', call_id, output: 'Exit code: 0' },
  ]
}
