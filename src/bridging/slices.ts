/**
 * The one gate where session text leaves a host's log for files that a model reads. `N.jsonl` holds the conversation,
 * `N_full.jsonl` the conversation and the tool records; both start with a header line. Nothing else writes slices.
 */
import * as fs from 'node:fs'
import type { SessionFacts, SessionRecord, SessionRef } from '../hosts/transcript-source.ts'
import { heldLines, lineWriter } from './line-files.ts'

/** What a record passes before it is written: the record, another in its place, or undefined to leave it out. One function a session. */
export type SliceFilter = (session: SessionRef) => (record: SessionRecord) => SessionRecord | undefined

/** Lets everything pass. */
export const openFilter: SliceFilter = () => (record) => record

export interface SliceHeader extends Pick<SessionFacts, 'title' | 'project' | 'branch'> {
  readonly host: string
  readonly session: string
}

export interface SliceCounts {
  readonly messages: number
  readonly tools: number
  /** ISO times of the first and the last record that has one. */
  readonly from?: string
  readonly to?: string
}

export interface SliceWriter {
  write(record: SessionRecord): void
  /**
   * Writes both files, header first, and says what they hold. `omit` gives for each record that was handed to `write`, in order,
   * whether it is left out after all (a rewritten session: mined before).
   */
  finish(header: SliceHeader, omit?: readonly boolean[]): SliceCounts
  /** Removes what was written. */
  discard(): void
}

/** Longer tool texts keep their head and tail: what a command printed last matters as much as how it began. Characters. */
const TOOL_HEAD = 12_000
const TOOL_TAIL = 4_000

export function sliceWriter(conversation: string, full: string, pass: (record: SessionRecord) => SessionRecord | undefined): SliceWriter {
  const held = heldLines(`${full}.part`)
  return {
    write(record) {
      const passed = pass(record)
      // Kind, time and text in one line; a record that was left out keeps its place, for `omit`.
      held.write(passed === undefined ? '-\n' : `${passed.kind === 'message' ? 'm' : 't'}${passed.at ?? ''}\t${sliceLine(passed)}`)
    },
    finish(header, omit = []) {
      let messages = 0
      let tools = 0
      let from: string | undefined
      let to: string | undefined
      const outputs = [lineWriter(conversation), lineWriter(full)] as const
      for (const output of outputs) output.write(`${JSON.stringify(header)}\n`)
      let record = 0
      for (const line of held.lines()) {
        if (omit[record++] || line.startsWith('-')) continue
        const tab = line.indexOf('\t')
        const at = line.slice(1, tab)
        if (at !== '') from ??= at
        if (at !== '') to = at
        const text = line.slice(tab + 1)
        outputs[1].write(text)
        if (line.startsWith('m')) {
          outputs[0].write(text)
          messages++
        } else tools++
      }
      held.discard()
      for (const output of outputs) output.close()
      return { messages, tools, ...(from && to ? { from, to } : {}) }
    },
    discard() {
      held.discard()
      for (const path of [conversation, full]) fs.rmSync(path, { force: true })
    },
  }
}

/** The normalised line of a record, newline included. */
function sliceLine(record: SessionRecord): string {
  const at = record.at === undefined ? {} : { at: record.at }
  if (record.kind === 'message') return `${JSON.stringify({ role: record.role, ...at, text: record.text })}\n`
  const { name, part, failed } = record.tool ?? { part: 'result' as const }
  const tool = { ...(name === undefined ? {} : { tool: name }), part, ...(failed ? { failed } : {}) }
  return `${JSON.stringify({ role: 'tool', ...at, ...tool, text: shorten(record.text) })}\n`
}

function shorten(text: string): string {
  if (text.length <= TOOL_HEAD + TOOL_TAIL) return text
  const left = text.length - TOOL_HEAD - TOOL_TAIL
  return `${text.slice(0, TOOL_HEAD)}\n[… ${left} characters left out …]\n${text.slice(-TOOL_TAIL)}`
}
