/** What a line of an agent's transcript is: `{role, message: {content: [blocks]}}`, without ids, times and results of tools. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, IMAGE, isImage } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import { toolPart } from '../tool-blocks.ts'
import type { SessionFacts, SessionRecord } from '../transcript-source.ts'
import { promptOf, spokenOf } from './human-text.ts'
import { repeats } from './repeats.ts'
import { timeOf } from './timestamp.ts'

export interface Transcript {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** When the file changed last, and now; milliseconds since 1970. */
  readonly changed: number
  readonly now: number
  readonly facts: () => SessionFacts
}

interface State {
  repeats?: JsonObject
}

/** `{"type":"turn_ended", …}` ends every turn. */
const ENDED = '{"type":"turn_ended"'

export function transcriptDialect(transcript: Transcript): Dialect<State> {
  let seen = repeats(undefined)
  return {
    filter: {
      skip: (head) => head.toString('latin1', 0, ENDED.length) === ENDED,
      starts: ['{"role":"user"', '{"role":"assistant"'].map((start) => Buffer.from(start)),
    },
    isRecord: isTranscriptRecord,
    restore(stored) {
      seen = repeats(stored?.repeats)
      return { ...stored }
    },
    classify: (value) => classify(value, transcript).map((record) => ({ ...record, key: seen.key(record.role, record.text, record.tool) })),
    finish(state) {
      state.repeats = seen.stored()
      return []
    },
    facts: transcript.facts,
  }
}

/** Also tells a log of Cursor's from another host's. */
export function isTranscriptRecord({ role, message, type }: JsonObject): boolean {
  return type === 'turn_ended' || ((role === 'user' || role === 'assistant') && asObject(message)?.content !== undefined)
}

type Unkeyed = Omit<SessionRecord, 'key'>

function classify(value: JsonObject, transcript: Transcript): Unkeyed[] {
  const role = value.role
  if (role !== 'user' && role !== 'assistant') return []
  const blocks = asBlocks(asObject(value.message)?.content)
  const spoken = transcript.isSubagent ? undefined : message(blocks, role, transcript)
  const tools = blocks.flatMap((block): Unkeyed[] => {
    const tool = toolPart(block)
    return tool === undefined ? [] : [{ kind: 'tool', role: 'tool', ...tool }]
  })
  return spoken === undefined ? tools : [spoken, ...tools]
}

function message(blocks: readonly JsonObject[], role: 'user' | 'assistant', { changed, now }: Transcript): Unkeyed | undefined {
  const parts: string[] = []
  let time: string | undefined
  for (const block of blocks) {
    if (isImage(block)) parts.push(IMAGE)
    const text = block.type === 'text' ? asText(block.text) : undefined
    if (text === undefined) continue
    const prompt = role === 'user' ? promptOf(text) : { text: spokenOf(text) }
    time ??= prompt.time
    if (prompt.text !== '') parts.push(prompt.text)
  }
  if (parts.every((part) => part === IMAGE)) return undefined
  const at = time === undefined ? undefined : timeOf(time, changed, now)
  return { kind: 'message', role, text: parts.join('\n'), ...(at && { at }) }
}
