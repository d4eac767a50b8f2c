/**
 * The entries in which pi keeps a session, and OpenClaw and Cola after it: a header, then messages and notes that name the entry
 * they follow. Turns that were left for another branch stay in the log and are mined: one can return to them, and nothing says that they
 * were taken back (`../rewound.ts`).
 */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, asTime, sessionFacts } from '../fields.ts'
import type { Identified } from '../forks.ts'
import type { Dialect } from '../jsonl-session.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { isEntry, NOTES, TITLES } from './entry.ts'
import { type EntryMessages, messageRecords } from './message.ts'

/** What the entries so far said of the session; plain JSON. */
export interface EntryState {
  /** When the session began, in UTC; empty where that is not known. */
  began?: string
  /** The session that this one was forked from, as its header names it: a path or an id. */
  parent?: string
  /** The id of the first message: copies of one session begin with the same. */
  root?: string
  title?: string
  project?: string
}

export interface EntryTree extends EntryMessages {
  /** Milliseconds since 1970. */
  readonly now: number
  /** Whether an entry that is older than the session was copied from another one that hands it out. Asked of such entries alone. */
  readonly isCopy?: (entry: JsonObject, state: EntryState) => boolean
}

/** Entries that hold nothing for a miner and can be large; the prompt that the program gave the model is one of them. */
const NOISE = new RegExp(
  `^\\{[^{[]*?"type":"(?:(?:${NOTES.join('|')})"|message",[^{[]*?"message":\\{"role":"(?:system|custom|hookMessage)")`,
)

/** Whether an entry that begins like this holds nothing for a miner. */
export function isNoise(head: string): boolean {
  return NOISE.test(head)
}

/** The entries of a JSON-lines log. */
export const entries: Identified = {
  filter: { skip: (head) => isNoise(head.toString('latin1')), starts: [Buffer.from('{"type":"message",')] },
  isRecord: isEntry,
  id: ({ id }) => asText(id),
}

/** The dialect of a JSON-lines log. */
export function entryDialect(tree: EntryTree): Dialect<EntryState> {
  return {
    ...entries,
    restore: (stored) => ({ ...stored }),
    classify: (entry, state) => entryRecords(entry, state, tree),
    facts: sessionFacts,
  }
}

/** What an entry holds for the miner; notes in `state` what it says of the session. */
export function entryRecords(entry: JsonObject, state: EntryState, tree: EntryTree): readonly SessionRecord[] {
  if (entry.type === 'session') noteHeader(entry, state, tree.now)
  if (entry.type === 'message') state.root ??= asText(entry.id) ?? ''
  if (TITLES.includes(String(entry.type))) noteTitle(entry, state)
  if (entry.type !== 'message') return []
  const at = entryTime(entry, tree.now)
  return isCopy(entry, at, state, tree) ? [] : messageRecords(entry, at, tree)
}

/** UTC ISO time of an entry. Some versions and hosts give the message one and the entry none. */
export function entryTime(entry: JsonObject, now: number): string | undefined {
  return asTime(entry.timestamp, now) ?? asTime(asObject(entry.message)?.timestamp, now)
}

/** The first header is the session's own. */
function noteHeader(header: JsonObject, state: EntryState, now: number): void {
  if (state.began !== undefined) return
  state.began = asTime(header.timestamp, now) ?? ''
  const project = asText(header.cwd)
  const parent = asText(header.parentSession) ?? asText(header.branchedFrom) // The second in the first format.
  if (project !== undefined) state.project = project
  if (parent !== undefined) state.parent = parent
}

/** The last name counts; an empty one takes it back. */
function noteTitle(entry: JsonObject, state: EntryState): void {
  const title = asText(entry.name) ?? asText(entry.title)
  if (title === undefined) delete state.title
  else state.title = title.trim()
}

/** A fork, a rewind and a copy take over entries as they are: these are older than the session's own header. */
function isCopy(entry: JsonObject, at: string | undefined, state: EntryState, tree: EntryTree): boolean {
  if (at === undefined || state.began === undefined || at >= state.began) return false
  return tree.isCopy?.(entry, state) ?? false
}
