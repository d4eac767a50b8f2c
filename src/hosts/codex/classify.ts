/** What a line of a Codex rollout is, by its type and the type of its payload. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, sessionFacts } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { eventRecords, release } from './events.ts'
import { endsReplay, uuidTime } from './fork.ts'
import { itemRecords } from './items.ts'
import type { State } from './state.ts'

export interface Rollout {
  /** Whether the thread of this id has a rollout of its own to be read. */
  readonly isKnown: (thread: string) => boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

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
    facts: sessionFacts,
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
  if (value.type === 'event_msg') return eventRecords(value, item, state, rollout.now)
  const isItem = value.type === 'response_item' || value.type === undefined || value === item
  return isItem ? itemRecords(value, item, state, rollout.now) : []
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
