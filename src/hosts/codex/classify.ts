/** What a line of a Codex rollout is, by its type and the type of its payload. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asBlocks, asObject, asText, asTime, contentKey, IMAGE, isImage, joinSpoken } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import { toolFields } from '../response-items.ts'
import type { SessionFacts, SessionRecord } from '../transcript-source.ts'
import { endsReplay, uuidTime } from './fork.ts'
import { humanText, provenance } from './human-text.ts'

/** What the lines so far said of the thread; plain JSON. */
interface State {
  /** The id in the thread's own (first) `session_meta`. */
  thread?: string
  /** When the thread began, while the history of the thread that it was forked from is passed over. */
  replayUntil?: number
  /** Messages stand as items; their copies among the events are passed over. */
  hasItems?: boolean
  /** Messages seen as events only, while it is not known whether items will come; at most `HELD`. */
  held?: SessionRecord[]
  title?: string
  project?: string
  branch?: string
  internal?: boolean
}

export interface Rollout {
  /** Whether the thread of this id has a rollout of its own to be read. */
  readonly isKnown: (thread: string) => boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** An item and the event that repeats it are neighbours: after so many events without an item there are none. */
const HELD = 20
/** A message without an id is one with the same words as an earlier one only from this length on: "yes" may be said twice. */
const SAME_WORDS = 60
const INTERNAL_THREADS = ['subagent', 'guardian_review', 'memory_consolidation']

/**
 * Lines that hold nothing for a miner; `compacted` repeats the whole history and can be gigabytes. That turns were rolled back
 * (`thread_rolled_back`) is among them. Elsewhere what was taken back is not mined (`../rewound.ts`); here a fork names its parent's part
 * of the log and holds no copy (`history_base`), so that what one thread took back may go on in another and stands nowhere else.
 */
const NOISE = new RegExp(
  [
    '"type":"(?:compacted|world_state|token_usage_record|inter_agent_[a-z_]*|retained_context|security_risk_score|realtime_item|ghost_snapshot|configuration_update)"',
    '"type":"event_msg","payload":\\{"type":"(?!user_message"|agent_message"|thread_name_updated"|task_started")',
    '"type":"response_item","payload":\\{"type":"(?:reasoning|compaction[a-z_]*|ghost_snapshot)"',
  ]
    .map((type) => `^\\{[^{[]*?${type}`)
    .join('|'),
)

export function codexDialect(rollout: Rollout): Dialect<State> {
  return {
    filter: { skip: (head) => NOISE.test(head.toString('latin1')), starts: [Buffer.from('{"timestamp":')] },
    isRecord: (value) => typeof value.timestamp === 'string' && (typeof value.type === 'string' || asObject(value.payload) !== undefined),
    restore: (stored) => ({ ...stored }),
    classify: (value, state) => classify(value, state, rollout),
    finish: (state) => release(state),
    facts: ({ title, project, branch, internal }): SessionFacts => ({
      ...(title && { title }),
      ...(project && { project }),
      ...(branch && { branch }),
      ...(internal && { internal }),
    }),
  }
}

function classify(value: JsonObject, state: State, rollout: Rollout): SessionRecord[] {
  if (state.replayUntil !== undefined && endsReplay(value, state.replayUntil)) delete state.replayUntil
  // Older lines have no type or no envelope at all: the item is the line.
  const item = asObject(value.payload) ?? value
  if (value.type === 'session_meta' || isOldMeta(value)) {
    noteMeta(item, state, rollout)
    return []
  }
  if (value.type === 'turn_context') {
    const project = asText(item.cwd)
    if (project !== undefined) state.project ??= project
    return []
  }
  if (state.replayUntil !== undefined) return []
  if (value.type === 'event_msg') return event(value, item, state, rollout)
  const isItem = value.type === 'response_item' || value.type === undefined || value === item
  return isItem ? itemRecord(value, item, state, rollout) : []
}

/** The first line of the oldest rollouts: the thread's id and nothing that says so. */
function isOldMeta(value: JsonObject): boolean {
  return value.type === undefined && value.payload === undefined && value.role === undefined && typeof value.id === 'string'
}

function noteMeta(meta: JsonObject, state: State, rollout: Rollout): void {
  const thread = asText(meta.id) ?? asText(meta.session_id)
  if (state.thread === undefined) {
    state.thread = thread ?? ''
    const project = asText(meta.cwd)
    const branch = asText(asObject(meta.git)?.branch)
    if (project !== undefined) state.project = project
    if (branch !== undefined) state.branch = branch
    const internal = INTERNAL_THREADS.includes(String(meta.thread_source)) || asObject(meta.source)?.subagent !== undefined
    if (internal) state.internal = true
    // Newer forks name the parent's part instead of repeating it.
    if (asObject(meta.history_base) === undefined) passOver(asText(meta.forked_from_id), meta, state, rollout)
  } else if (thread !== state.thread) {
    passOver(thread, meta, state, rollout)
  }
}

/** From here the parent's history follows. Where the parent's rollout is gone, it is taken from the copy. */
function passOver(parent: string | undefined, meta: JsonObject, state: State, rollout: Rollout): void {
  if (parent === undefined || !rollout.isKnown(parent)) return
  const born = uuidTime(state.thread) ?? Date.parse(asText(meta.timestamp) ?? '')
  if (!Number.isNaN(born)) state.replayUntil = born
}

function itemRecord(value: JsonObject, item: JsonObject, state: State, rollout: Rollout): SessionRecord[] {
  // The summary that a compaction asks for stands as a message of the agent.
  if (asObject(value.metadata)?.compaction_output === true) return []
  const at = asTime(value.timestamp ?? item.timestamp, rollout.now)
  const tool = toolFields(item)
  if (tool !== undefined) {
    const { call, part } = tool.tool
    // Some model servers number calls and messages anew in every answer, so an id alone is not enough.
    const key = contentKey(call ?? item.id ?? value.timestamp, part, tool.text.length, tool.text.slice(0, 500))
    return [{ kind: 'tool', role: 'tool', ...tool, ...(at && { at }), key }]
  }
  if (item.type !== 'message' && !(item.type === undefined && item.role !== undefined)) return []
  if (typeof item.role === 'string') {
    state.hasItems = true
    delete state.held
  }
  if (item.role !== 'user' && item.role !== 'assistant') return []
  const text = messageText(item, item.role)
  return text === '' ? [] : [message(item.role, text, at, asText(item.id))]
}

function messageText(item: JsonObject, role: 'user' | 'assistant'): string {
  const texts = asBlocks(item.content).map((block, index) => {
    const source = role === 'user' ? provenance(item, index) : undefined
    if (source !== undefined && source !== 'user') return ''
    if (isImage(block)) return IMAGE
    const text = asText(block.text) ?? ''
    return role === 'user' ? humanText(text) : text.trim()
  })
  return joinSpoken(texts)
}

/** Events repeat the items in newer files and are all there is in the oldest ones. */
function event(value: JsonObject, item: JsonObject, state: State, rollout: Rollout): SessionRecord[] {
  if (item.type === 'thread_name_updated') {
    const title = asText(item.thread_name)
    if (title !== undefined) state.title = title.trim()
    return []
  }
  if (state.hasItems === true || (item.type !== 'user_message' && item.type !== 'agent_message')) return []
  const role = item.type === 'user_message' ? 'user' : 'assistant'
  const said = asText(item.message)
  const text = said === undefined ? '' : role === 'user' ? humanText(said) : said.trim()
  if (text === '') return []
  const held = [...(state.held ?? []), message(role, text, asTime(value.timestamp, rollout.now), undefined)]
  state.held = held
  return held.length > HELD ? release(state) : []
}

/** The events held back, once it is clear that no items repeat them. */
function release(state: State): SessionRecord[] {
  const held = state.held ?? []
  delete state.held
  return held
}

function message(role: 'user' | 'assistant', text: string, at: string | undefined, id: string | undefined): SessionRecord {
  const key = contentKey(role, text, id ?? (text.length < SAME_WORDS ? at : undefined))
  return { kind: 'message', role, text, ...(at && { at }), key }
}
