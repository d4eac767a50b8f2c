/**
 * The files in which a session's new part reaches a model. `N.jsonl` holds the conversation, `N_full.jsonl` the conversation and the
 * tool records; both start with a header line. Nothing else writes slices, and nothing is written that has not passed the gate.
 */
import * as fs from 'node:fs'
import type { SessionFacts, SessionRecord } from '../hosts/transcript-source.ts'
import { discardFile } from '../util/fs.ts'
import { shorten, within } from './shorten.ts'
import type { LeftOut } from './slice-gate.ts'

/** The first line of both files: what the records alone do not say. */
export interface SliceHeader extends Pick<SessionFacts, 'title' | 'project' | 'branch'> {
  readonly host: string
  /** As the host names it, less what no model may see. */
  readonly session: string
  /** ISO times of the first and the last record that has one. */
  readonly from?: string
  readonly to?: string
  /** The version of the rules by which secrets were removed, or `off`. */
  readonly redaction: number | 'off'
  /** What was cut of the records that are there. */
  readonly left_out?: Partial<LeftOut>
  /** The session has more that is new; it comes in a later slice. */
  readonly continues?: true
}

export interface SliceCounts {
  readonly messages: number
  readonly tools: number
  readonly from?: string
  readonly to?: string
}

export interface SliceWriter {
  /** False, once the slice is full: this record and all that follow wait for another slice. */
  write(record: SessionRecord): boolean
  readonly isFull: boolean
  /** Better not to go on: what follows would soon fill it, and a read that ends before that needs no second look at anything. */
  readonly hasEnough: boolean
  /** About how many characters stay of a tool record at the most, as far as can be told: more records only make it less. */
  readonly most: number
  readonly counts: SliceCounts
  /** Writes both files, header first. */
  finish(header: Omit<SliceHeader, 'from' | 'to'>): void
  /** Removes what was written. */
  discard(): void
}

/**
 * How much one slice may hold, in bytes of UTF-8, which follow the number of tokens better than characters do (three to four a token in
 * English and code, three a token in Chinese). A job, its slice and the memory files that it reads have to fit into the 200,000 tokens
 * of a usual model, with room to think: 200 kB of conversation are some 55,000 tokens, with as much of the tools some 120,000.
 */
const CONVERSATION_BUDGET = 200_000
const TOOLS_BUDGET = 200_000
/** A full slice less a message of the greatest length, so that hardly any record is left over. */
const CONVERSATION_ENOUGH = CONVERSATION_BUDGET - 35_000
const TOOLS_ENOUGH = 0.9 * TOOLS_BUDGET
/** What a tool record counts for at the most while the slice fills: enough for a command and how it ended. */
const TOOL_FLOOR = 300
/** While the slice fills, tool lines may hold so much beyond the budget before it is asked anew how long one of them can stay. */
const SLACK = 50_000

/** What is written has passed the gate, so that no single record is long; what waits in memory is a few budgets. */
export function sliceWriter(conversation: string, full: string): SliceWriter {
  const lines: { readonly text: string; readonly isMessage: boolean }[] = []
  const tools = toolLengths()
  let messageBytes = 0
  let isFull = false
  let messages = 0
  let from: string | undefined
  let to: string | undefined

  const fits = (isMessage: boolean, bytes: number): boolean => {
    if (!isMessage) return tools.take(bytes)
    if (messages > 0 && messageBytes + bytes > CONVERSATION_BUDGET) return false
    messageBytes += bytes
    messages++
    return true
  }

  return {
    write(record) {
      if (isFull) return false
      const isMessage = record.kind === 'message'
      const text = sliceLine(record)
      isFull = !fits(isMessage, Buffer.byteLength(text))
      if (isFull) return false
      from ??= record.at
      to = record.at ?? to
      lines.push({ text, isMessage })
      return true
    },
    get isFull() {
      return isFull
    },
    get hasEnough() {
      return isFull || messageBytes >= CONVERSATION_ENOUGH || tools.least >= TOOLS_ENOUGH
    },
    get most() {
      return tools.most
    },
    get counts() {
      return { messages, tools: lines.length - messages, ...(from && to ? { from, to } : {}) }
    },
    finish(header) {
      const most = tools.last()
      const range = from && to ? { from, to } : {}
      const first = `${JSON.stringify({ ...header, ...range })}\n`
      const spoken = lines.filter(({ isMessage }) => isMessage).map(({ text }) => text)
      const all = lines.map(({ text, isMessage }) => (isMessage || text.length <= most ? text : shorter(text, most)))
      for (const [path, body] of [[conversation, spoken] as const, [full, all] as const]) {
        fs.writeFileSync(path, first + body.join(''), { mode: 0o600 })
      }
    },
    discard() {
      for (const path of [conversation, full]) discardFile(path)
    },
  }
}

interface ToolLengths {
  /** Bytes that its lines have, each shortened as far as may be. */
  readonly least: number
  /** False where no more lines fit, however short. */
  take(bytes: number): boolean
  /** What a line may have, as far as can be told. */
  readonly most: number
  /** The same, when all lines are there. */
  last(): number
}

function toolLengths(): ToolLengths {
  const sizes: number[] = []
  let most = Number.POSITIVE_INFINITY
  let [least, since] = [0, -TOOLS_BUDGET]
  return {
    take(bytes) {
      const floor = Math.min(bytes, TOOL_FLOOR)
      if (sizes.length > 0 && least + floor > TOOLS_BUDGET) return false
      least += floor
      since += bytes
      sizes.push(bytes)
      if (since > SLACK) {
        most = mostOfEach(sizes, TOOLS_BUDGET)
        since = 0
      }
      return true
    },
    get least() {
      return least
    },
    get most() {
      return most
    },
    last: () => mostOfEach(sizes, TOOLS_BUDGET),
  }
}

/** The normalised line of a record, newline included. `call` joins a call and its result. */
function sliceLine(record: SessionRecord): string {
  const at = record.at === undefined ? {} : { at: record.at }
  if (record.kind === 'message') return `${JSON.stringify({ role: record.role, ...at, text: record.text })}\n`
  const { name, call, part, failed } = record.tool ?? { part: 'result' as const }
  const tool = {
    ...(name === undefined ? {} : { tool: name }),
    ...(call === undefined ? {} : { call }),
    part,
    ...(failed ? { failed } : {}),
  }
  return `${JSON.stringify({ role: 'tool', ...at, ...tool, text: record.text })}\n`
}

/** The length to which the longest lines are cut so that all together keep to the budget: short ones stay whole. */
function mostOfEach(sizes: readonly number[], budget: number): number {
  const ascending = [...sizes].sort((a, b) => a - b)
  let left = budget
  for (const [at, size] of ascending.entries()) {
    const share = left / (ascending.length - at)
    if (size > share) return Math.max(Math.floor(share), TOOL_FLOOR)
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

/** A tool line of about `bytes` bytes: three quarters head, one quarter tail. */
function shorter(line: string, bytes: number): string {
  const size = Buffer.byteLength(line)
  if (size <= bytes) return line
  const record = JSON.parse(line) as { readonly text: string }
  const { length } = record.text
  const frame = line.length - length
  const characters = Math.max(Math.floor(length * ((bytes - frame) / (size - frame))), 0)
  return `${JSON.stringify({ ...record, text: shorten(record.text, within({ head: length, tail: 0 }, characters)) })}\n`
}
