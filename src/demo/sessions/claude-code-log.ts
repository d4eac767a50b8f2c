/** Writes a conversation as Claude Code logs it: one record a block, tool results in the user's name, and its usual noise. */
import { join } from 'node:path'
import { clock, uuidOf } from './clock.ts'
import type { Conversation, Turn } from './conversation.ts'

export interface LogFile {
  /** Below the home directory. */
  readonly path: string
  readonly text: string
  /** When the session ended: the file's time. */
  readonly ended: Date
}

const VERSION = '2.1.197'

export function claudeCodeLog(conversation: Conversation, home: string, now: Date): LogFile {
  const session = uuidOf('claude-code', conversation.title)
  const cwd = join(home, conversation.project)
  const time = clock(now, conversation.daysAgo)
  const records: object[] = []
  let parentUuid: string | null = null
  let last = time.started.toISOString()

  const add = (record: object): void => {
    const uuid = uuidOf(session, records.length)
    last = time.next()
    records.push({
      parentUuid,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: session,
      version: VERSION,
      gitBranch: 'main',
      ...record,
      uuid,
      timestamp: last,
    })
    parentUuid = uuid
  }
  const answer = (block: object): void =>
    add({
      type: 'assistant',
      message: {
        id: `msg_${records.length}`,
        role: 'assistant',
        model: 'claude-demo',
        content: [block],
        usage: { input_tokens: 900, output_tokens: 60 },
      },
    })

  for (const [index, turn] of conversation.turns.entries()) {
    if ('user' in turn) {
      records.push({ type: 'last-prompt', lastPrompt: turn.user, sessionId: session })
      add({ type: 'user', origin: { kind: 'human' }, promptSource: 'typed', message: { role: 'user', content: turn.user } })
    } else if ('injected' in turn) {
      add({ type: 'user', isMeta: true, message: { role: 'user', content: turn.injected } })
    } else if ('agent' in turn) {
      answer({ type: 'thinking', thinking: '', signature: 'c2lnbmF0dXJl' })
      answer({ type: 'text', text: turn.agent })
    } else {
      const id = `toolu_${session.slice(0, 8)}${index}`
      answer({ type: 'tool_use', id, ...toolUse(turn, cwd) })
      add({ type: 'user', ...toolResult(turn, id) })
    }
  }
  records.push({ type: 'ai-title', aiTitle: conversation.title, sessionId: session })
  return {
    path: join('.claude', 'projects', cwd.replace(/[^A-Za-z0-9]/g, '-'), `${session}.jsonl`),
    text: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
    ended: new Date(last),
  }
}

function toolUse(turn: Extract<Turn, { run: string } | { writes: string }>, cwd: string): object {
  if ('run' in turn) return { name: 'Bash', input: { command: turn.run, description: 'Run a command' } }
  return { name: 'Write', input: { file_path: join(cwd, turn.writes), content: turn.content } }
}

function toolResult(turn: Extract<Turn, { run: string } | { writes: string }>, id: string): object {
  const failed = 'run' in turn && turn.fails === true
  const text = 'run' in turn ? (failed ? `Exit code 1\n${turn.prints}` : turn.prints) : 'File created successfully'
  return {
    toolUseResult:
      'run' in turn ? { stdout: failed ? '' : turn.prints, stderr: failed ? turn.prints : '', interrupted: false } : { type: 'create' },
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text, is_error: failed }] },
  }
}
