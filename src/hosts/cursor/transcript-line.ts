/** What a line of an agent's transcript is: `{role, message: {content: [blocks]}}`, without ids, times and results of tools. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import { repeats } from '../repeats.ts'
import { toolPart } from '../tool-blocks.ts'
import type { SessionFacts } from '../transcript-source.ts'
import { type Clock, keyed, speech, type Unkeyed } from './speech.ts'

export interface Transcript extends Clock {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
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
    classify: (value) => classify(value, transcript).map((record) => keyed(record, seen)),
    finish(state) {
      state.repeats = seen.stored()
      return []
    },
    facts: transcript.facts,
  }
}

function isTranscriptRecord({ role, message, type }: JsonObject): boolean {
  return type === 'turn_ended' || ((role === 'user' || role === 'assistant') && asObject(message)?.content !== undefined)
}

function classify(value: JsonObject, transcript: Transcript): Unkeyed[] {
  const role = value.role
  if (role !== 'user' && role !== 'assistant') return []
  const blocks = asBlocks(asObject(value.message)?.content)
  const spoken = transcript.isSubagent ? undefined : speech(blocks, role, transcript)
  const tools = blocks.flatMap((block): Unkeyed[] => {
    const tool = toolPart(block)
    return tool === undefined ? [] : [{ kind: 'tool', role: 'tool', ...tool }]
  })
  return spoken === undefined ? tools : [spoken, ...tools]
}
