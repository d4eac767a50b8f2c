/** What a line of a Qwen Code transcript is, by its type, subtype and provenance. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, asTime, contentKey, sessionFacts } from '../fields.ts'
import type { Identified } from '../forks.ts'
import { partsText, partsTools } from '../genai-parts.ts'
import type { Dialect } from '../jsonl-session.ts'
import type { Undoing } from '../rewound.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { humanText } from './human-text.ts'

/** What the lines so far said of the session. */
interface State {
  title?: string
  /** A person's title beats the program's. */
  isNamed?: true
  project?: string
  branch?: string
}

export interface Transcript {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** Whether a session hands out the record of this id: what was copied from it is mined there. */
  readonly handsOut: (session: string, id: string) => boolean
  /** The records of this read that a later line takes back, by their `uuid`. */
  readonly takenBack: (fromStart: boolean) => ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/**
 * User records by subtype: what was typed between turns, while the agent worked, or said aloud, and the prompts that the user's
 * schedule sends. Of `cron` the provenance says nothing: 0.24 writes `system`, others were seen with a goal's. Notifications and the
 * prompts with which the program drives the agent towards a goal (`goal_runtime`, a subtype too) are nobody's words.
 */
const SPOKEN: ReadonlySet<unknown> = new Set([undefined, 'mid_turn_user_message', 'realtime_message', 'cron'])
/** Records of the program about itself; a compressed history repeats everything that was said. */
const NOISE = /^\{[^{[]*?"type":"system"[^{[]*?"subtype":"(?!custom_title"|rewind")/

const STARTS = [Buffer.from('{"uuid":')]
const isRecord = ({ uuid, type, sessionId }: JsonObject): boolean =>
  typeof uuid === 'string' && typeof type === 'string' && typeof sessionId === 'string'

/** The program goes on from an earlier record; what lies between is a dead branch. */
export const qwenUndoing: Undoing = {
  mark: '"subtype":"rewind"',
  // Every record counts here: it may be the one that the session goes on from.
  filter: { skip: () => false, starts: [] },
  isRecord,
  play(line, history) {
    const id = asText(line.uuid)
    if (line.subtype === 'rewind') history.takeBackAfter(asText(line.parentUuid))
    if (id !== undefined) history.add(id)
  },
}

/** The records of a transcript, as a fork repeats them. */
export const qwenRecords: Identified = {
  filter: { skip: (head) => NOISE.test(head.toString('latin1')), starts: STARTS },
  isRecord,
  id: ({ uuid }) => asText(uuid),
  undoing: qwenUndoing,
}

export function qwenDialect(transcript: Transcript): Dialect<State> {
  let takenBack: ReadonlySet<string> = new Set()
  return {
    ...qwenRecords,
    restore: (stored) => {
      takenBack = transcript.takenBack(stored === undefined)
      return { ...stored }
    },
    classify: (value, state) => {
      note(value, state)
      return takenBack.has(String(value.uuid)) || isCopy(value, transcript) ? [] : classify(value, transcript)
    },
    facts: sessionFacts,
  }
}

/** The program marks every record that it copies. */
function isCopy({ forkedFrom, sessionId }: JsonObject, { handsOut }: Transcript): boolean {
  const { sessionId: origin, messageUuid: id } = asObject(forkedFrom) ?? {}
  return typeof origin === 'string' && typeof id === 'string' && origin !== sessionId && handsOut(origin, id)
}

function classify(value: JsonObject, transcript: Transcript): SessionRecord[] {
  const { type } = value
  if (type !== 'user' && type !== 'assistant' && type !== 'tool_result') return []
  const parts = asObject(value.message)?.parts
  const at = asTime(value.timestamp, transcript.now)
  // A copied record keeps its id; older versions may have given it another.
  const id = asText(asObject(value.forkedFrom)?.messageUuid) ?? asText(value.uuid)
  const time = { ...(at && { at }) }
  const records: SessionRecord[] = []
  const text = type === 'tool_result' || transcript.isSubagent ? '' : spokenText(value, type)
  if (text !== '' && type !== 'tool_result') {
    records.push({ kind: 'message', role: type, text, ...time, key: id ?? contentKey(type, text, value.timestamp) })
  }
  const failed = asObject(value.toolCallResult)?.status === 'error'
  partsTools(parts).forEach(({ text: used, tool }, index) => {
    const key = id === undefined ? contentKey(tool, used, value.timestamp) : `${id}#${index}`
    records.push({ kind: 'tool', role: 'tool', text: used, ...time, key, tool: { ...tool, ...(failed && { failed }) } })
  })
  return records
}

function spokenText(value: JsonObject, type: 'user' | 'assistant'): string {
  if (type === 'assistant') return partsText(asObject(value.message)?.parts, (text) => text)
  if (!SPOKEN.has(value.subtype)) return ''
  return value.subtype === 'cron' || !/^goal_/.test(String(value.provenance)) ? humanText(value) : ''
}

function note(value: JsonObject, state: State): void {
  const project = asText(value.cwd)
  if (project !== undefined) state.project ??= project
  const branch = asText(value.gitBranch)
  if (branch !== undefined && branch !== 'HEAD') state.branch = branch
  const payload = value.subtype === 'custom_title' ? asObject(value.systemPayload) : undefined
  const title = asText(payload?.customTitle)
  const isAuto = payload?.titleSource === 'auto'
  if (title === undefined || (isAuto && state.isNamed)) return
  state.title = title.trim()
  if (!isAuto) state.isNamed = true
}
