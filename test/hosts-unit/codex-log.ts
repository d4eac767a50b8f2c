/** Codex' log, written through the port of logs. */
import { join } from 'node:path'
import { codex } from '../../src/hosts/registry.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { system } from './claude-code-log.ts'
import { item, line, message, meta, threadId } from './codex-lines.ts'

export const DAY = join('2026', '09', '01')
export const fileName = (thread: string, written = '2026-09-01T10-00-00'): string => `rollout-${written}-${thread}.jsonl`

export const codexLines: SourceFixture = {
  name: 'Codex',
  open: (directory) => codex.source(directory, system),
  path: (directory, thread) => join(directory, DAY, fileName(thread)),
  id: (number) => threadId(number),
  opening: (thread) => [
    meta(thread),
    message(0, 'developer', 'instructions of the program'),
    message(0, 'user', [
      '# AGENTS.md instructions for /home/u/shop\n\n<INSTRUCTIONS>be brief</INSTRUCTIONS>',
      '<environment_context>\n  <cwd>/home/u/shop</cwd>\n</environment_context>',
    ]),
  ],
  user: (_, number, text) => message(number, 'user', text, { id: `msg_${number}` }),
  assistant: (_, number, text) => message(number, 'assistant', text, { id: `msg_${number}` }),
  call: (_, number, command) =>
    item(number, { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd: command }), call_id: `call_${number}` }),
  result: (_, number, output) => item(number, { type: 'function_call_output', call_id: `call_${number}`, output }),
  noise: (_, number, text) =>
    line('compacted', number, { message: text, replacement_history: [{ type: 'message', role: 'user', content: [] }] }),
}

export const codexLog = fromLines(codex, codexLines)
