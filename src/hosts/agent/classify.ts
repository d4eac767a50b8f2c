/** From what a record holds to what a miner gets: what was said as one message, each call and each result as a tool record. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText, asTime, callPlace, callText, IMAGE, joinSpoken, outputText, sessionFacts } from '../fields.ts'
import type { Dialect } from '../jsonl-session.ts'
import { type Repeats, repeats } from '../repeats.ts'
import type { SessionRecord } from '../transcript-source.ts'
import type { Part } from './blocks.ts'
import { type Noted, note } from './facts.ts'
import { humanText } from './human-text.ts'
import { recognise } from './shapes.ts'
import type { Turn } from './turn.ts'

/** What the records so far said of the session; plain JSON. */
export interface State extends Noted {
  /** The shape of the last record that had one. */
  shape?: string
  /** Of records for which the log gives neither ids nor times. */
  repeats?: JsonObject
}

export interface Reading {
  /** A subagent's: its "user" is the agent that spawned it. */
  readonly isSubagent: boolean
  /** Milliseconds since 1970. */
  readonly now: number
}

/** `seen` has what the session said so far. */
export interface Progress extends Reading {
  readonly seen: Repeats
}

/** Of a text, as many characters as tell it from others: where nothing else does, and beside an id or a time. */
const MUCH = 500
const LITTLE = 40

export function agentDialect(reading: Reading): Dialect<State> {
  let current: State = {}
  let seen = repeats(undefined)
  return {
    filter: { skip: () => false, starts: [] },
    // An object inside a torn record can look like a record of another shape, never like one of the log's own.
    isRecord: (value) => {
      const shape = recognise(value)?.shape
      return shape !== undefined && (current.shape === undefined || shape === current.shape)
    },
    restore: (stored) => {
      current = { ...stored }
      seen = repeats(current.repeats)
      return current
    },
    classify: (value, state) => classify(value, state, { ...reading, seen }),
    finish(state) {
      state.repeats = seen.stored()
      return []
    },
    facts: sessionFacts,
  }
}

export function classify(value: JsonObject, state: State, reading: Progress): SessionRecord[] {
  // Gemini's: the whole history again, under the ids that it had.
  const again = asObject(value.$set)?.messages
  if (Array.isArray(again)) return again.flatMap((one) => classify(asObject(one) ?? {}, state, reading))
  const found = recognise(value)
  note(value, state, found !== undefined)
  if (found === undefined) return []
  state.shape = found.shape
  return records(found.turn, reading)
}

function records(turn: Turn, { isSubagent, now, seen }: Progress): SessionRecord[] {
  const at = asTime(turn.time, now)
  const time = at === undefined ? {} : { at }
  const anchor = asText(turn.id) ?? (typeof turn.id === 'number' ? turn.id : undefined) ?? at
  const made: SessionRecord[] = []
  const add = (fields: Pick<SessionRecord, 'kind' | 'role' | 'text' | 'tool'>): void => {
    const call = fields.tool?.call
    // Some model servers number calls anew in every answer, so an id alone is not enough.
    const key = anchor === undefined ? seen.key(call, telling(fields, MUCH)) : `${call ?? anchor} ${telling(fields, LITTLE)}`
    made.push({ ...fields, ...time, key })
  }

  const said = turn.speaker === undefined || isSubagent ? '' : spokenText(turn.parts, turn.speaker)
  if (turn.speaker !== undefined && said !== '') add({ kind: 'message', role: turn.speaker, text: said })
  if (turn.tool !== undefined) add({ kind: 'tool', role: 'tool', ...turn.tool })
  for (const part of turn.parts) {
    const tool = toolPart(part)
    if (tool !== undefined) add({ kind: 'tool', role: 'tool', ...tool })
  }
  return made
}

function telling({ role, text, tool }: Pick<SessionRecord, 'role' | 'text' | 'tool'>, characters: number): string {
  return `${tool?.part ?? role} ${text.length} ${text.slice(0, characters)}`
}

function spokenText(parts: readonly Part[], speaker: 'user' | 'assistant'): string {
  const texts = parts.map((part) => {
    if (part.is === 'image') return IMAGE
    if (part.is !== 'text') return ''
    return speaker === 'user' ? humanText(part.text) : part.text.trim()
  })
  return joinSpoken(texts)
}

function toolPart(part: Part): Pick<SessionRecord, 'text' | 'tool'> | undefined {
  if (part.is !== 'call' && part.is !== 'result') return undefined
  const name = asText(part.name)
  const call = asText(part.id)
  const named = { ...(name && { name }), ...(call && { call }) }
  if (part.is === 'call') return { text: callText(part.input), tool: { part: 'call', ...named, ...callPlace(part.input) } }
  return { text: outputText(part.output), tool: { part: 'result', ...named, ...(part.failed && { failed: true }) } }
}
