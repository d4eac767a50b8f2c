/**
 * What a line of a Gemini CLI session is. The file is a log of changes: a message, the same message again with more in it, facts of
 * the session (`$set`), all messages anew (`$set.messages`, after a resume or a compaction), and messages taken back (`$rewindTo`).
 *
 * So that each thing said is handed out once and complete, the last answer waits until another message follows it or the log ends:
 * the program writes the words of an answer first, and writes it again when its tools are done. Words, calls and results are handed
 * out each under a key of its own, a result only when it is there; of the answer at the end of a read it is remembered what was
 * handed out, so that the next read adds only what is new in it. Repeated histories bring keys that were there before.
 * A rewind takes back what this read has yet to hand out. What was handed out before stays.
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, sessionFacts } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import type { Undoing } from '../rewound.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { messageRecords } from './message.ts'

/** What the lines so far said of the session. */
interface State {
  title?: string
  project?: string
  last?: Answer
}

/** The last answer. */
interface Answer {
  readonly id: string
  /** Keys of the records of it that were handed out. */
  readonly given: readonly string[]
  /** Its records as far as they are known; never kept from read to read. */
  readonly held?: readonly SessionRecord[]
}

export interface Chat {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** The messages of this read that a later line takes back, by their `id`. */
  readonly takenBack: (fromStart: boolean) => ReadonlySet<string>
  /** Milliseconds since 1970. */
  readonly now: number
}

/** Notices to the user, and the time of the last change after every message. */
const NOISE = /^\{(?:"id":"[^"]*","timestamp":"[^"]*","type":"(?:info|error|warning)"|"\$set":\{"(?:lastUpdated|memoryScratchpad)":)/
/** A line to pass over may yet hold messages: `$set` names its fields in any order. */
const STARTS = ['{"id":', '{"$', '{"sessionId":', '"messages":['].map((start) => Buffer.from(start))

function isRecord(value: JsonObject): boolean {
  if (typeof value.id === 'string') return typeof value.type === 'string' && value.timestamp !== undefined
  return asObject(value.$set) !== undefined || typeof value.$rewindTo === 'string' || typeof value.projectHash === 'string'
}

export const geminiUndoing: Undoing = {
  mark: '"$rewindTo"',
  filter: { skip: (head) => NOISE.test(head.toString('latin1')), starts: STARTS },
  isRecord,
  play(line, history) {
    const messages = asObject(line.$set)?.messages
    if (typeof line.$rewindTo === 'string') history.takeBackFrom(line.$rewindTo)
    else if (Array.isArray(messages)) history.replace(messages.flatMap((message) => asText(asObject(message)?.id) ?? []))
    else if (typeof line.id === 'string') history.add(line.id)
  },
}

export function geminiDialect(chat: Chat): Dialect<State> {
  let takenBack: ReadonlySet<string> = new Set()

  function change(value: JsonObject, state: State): SessionRecord[] {
    const fields = asObject(value.$set) ?? (typeof value.projectHash === 'string' ? value : undefined)
    if (fields === undefined) return message(value, state)
    note(fields, state)
    // A document of the older format, and a history: the messages stand in a list.
    return Array.isArray(fields.messages) ? fields.messages.flatMap((each) => message(asObject(each) ?? {}, state)) : []
  }

  function message(value: JsonObject, state: State): SessionRecord[] {
    const { id, type } = value
    if ((type !== 'user' && type !== 'gemini') || takenBack.has(String(id))) return []
    const records = messageRecords(value, chat.now, !chat.isSubagent)
    if (type === 'user' || typeof id !== 'string') {
      const before = release(state)
      // The program tells the results of the last answer's calls here once more.
      return [...before, ...records.filter(({ key }) => !state.last?.given.includes(key))]
    }
    const before = state.last?.id === id ? [] : release(state)
    state.last = { id, given: state.last?.id === id ? state.last.given : [], held: records }
    return before
  }

  return {
    filter: geminiUndoing.filter,
    isRecord,
    restore: (stored) => {
      takenBack = chat.takenBack(stored === undefined)
      return { ...stored }
    },
    classify: change,
    finish: release,
    facts: sessionFacts,
  }
}

/** What is new of the last answer. */
function release(state: State): SessionRecord[] {
  const { last } = state
  if (last?.held === undefined) return []
  const fresh = last.held.filter(({ key }) => !last.given.includes(key))
  state.last = { id: last.id, given: [...last.given, ...fresh.map(({ key }) => key)] }
  return fresh
}

function note({ summary, directories }: JsonObject, state: State): void {
  const title = asText(summary)
  if (title !== undefined) state.title = title.trim()
  const project = Array.isArray(directories) ? asText(directories[0]) : undefined
  if (project !== undefined) state.project ??= project
}
