/** The transcripts of Cursor's agents, written through the port of logs. */
import { join } from 'node:path'
import { cursor } from '../../src/hosts/cursor/spec.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { conversationId, query, said, system, toolUse } from './cursor-lines.ts'

export const SLUG = 'home-u-shop'

export const cursorLines: SourceFixture = {
  name: 'Cursor, transcripts of agents',
  open: (directory) => cursor.source(directory, system),
  path: (directory, session) => join(directory, SLUG, 'agent-transcripts', session, `${session}.jsonl`),
  id: conversationId,
  opening: () => [],
  user: (_, __, text) => query(text),
  assistant: (_, __, text) => said('assistant', text),
  call: (_, __, command) => said('assistant', toolUse('Shell', { command })),
  result: () => JSON.stringify({ type: 'turn_ended', status: 'success' }),
  noise: (_, number, text) => JSON.stringify({ type: 'turn_ended', status: 'error', number, error: text }),
  lacks: { results: true, ids: true },
}

export const cursorLog = fromLines(cursor, cursorLines, { lacks: { times: true, results: true } })
