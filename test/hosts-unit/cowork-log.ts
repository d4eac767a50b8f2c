/** Cowork's log, written through the port of logs. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { coworkSessions } from '../../src/hosts/claude-code/cowork.ts'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import { claudeCode } from '../../src/hosts/registry.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { audit, coworkId, speech, system, time } from './cowork-lines.ts'

/** Claude Code's program over Cowork's sessions alone, which no variable of the environment names. */
const { sessionIdEnv: _, isRecord: _record, ...host } = claudeCode
const cowork: HostSpec = { ...host, source: async (folder, on) => coworkSessions(folder, on) }

/** A record that has a time of its own, too. */
const timed = (number: number): object => ({ timestamp: time(number) })

export const coworkLines: SourceFixture = {
  name: 'Claude Cowork',
  open: async (folder) => coworkSessions(folder, system),
  path(sessions, session) {
    const folder = sessionFolder(sessions, session)
    fs.mkdirSync(folder, { recursive: true }) // Cowork makes it before it logs anything.
    return join(folder, 'audit.jsonl')
  },
  id: coworkId,
  opening: (session) => [audit('system', session, 0, { subtype: 'init', cwd: '/sessions/x/mnt', tools: ['Bash'] })],
  user: (session, number, text) => speech('user', session, number, text, timed(number)),
  assistant: (session, number, text) => speech('assistant', session, number, [{ type: 'text', text }], timed(number)),
  call: (session, number, command) =>
    speech('assistant', session, number, [{ type: 'tool_use', id: `toolu_${number}`, name: 'Bash', input: { command } }]),
  result: (session, number, output) =>
    speech('user', session, number, [{ type: 'tool_result', tool_use_id: `toolu_${number}`, content: output }], {
      uuid: `${session}-${number}r`,
    }),
  noise: (session, number, text) => audit('result', session, number, { subtype: 'success', result: text }),
}

export const coworkLog = fromLines(cowork, coworkLines, { sharesParser: true })

/** `sessions` is `local-agent-mode-sessions`. */
export function sessionFolder(sessions: string, session: string): string {
  return join(sessions, 'aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002', session)
}
