/** Puts the demo's own sessions, and the files that they speak of, into the scratch home. */
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claudeCodeLog } from './claude-code-log.ts'
import { codexLog } from './codex-log.ts'
import type { Conversation } from './conversation.ts'

export function writeSessions(conversations: readonly Conversation[], home: string, now: Date): void {
  for (const conversation of conversations) {
    const log = conversation.host === 'codex' ? codexLog(conversation, home, now) : claudeCodeLog(conversation, home, now)
    const path = join(home, log.path)
    write(path, log.text)
    utimesSync(path, log.ended, log.ended)
    for (const turn of conversation.turns) if ('writes' in turn) write(join(home, conversation.project, turn.writes), turn.content)
  }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  writeFileSync(path, text, { mode: 0o600 })
}
