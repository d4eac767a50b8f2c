/**
 * What session text passes on its way from a host's log into a file that a model reads, in this order: the loop guard (what memU put
 * there itself), redaction (secrets), size (pictures, data, the middle of long texts). Every record of every host, and the header.
 */
import { loopGuard, type SessionGuard } from '../guard/loop-guard.ts'
import type { SessionRecord } from '../hosts/transcript-source.ts'
import { digest } from '../util/jsonl.ts'
import { LEAST_DATA, withoutData } from './data-runs.ts'
import { createCounter } from './rule-counts.ts'
import { type Ends, headOf, leftOut, shorten, tailOf, within } from './shorten.ts'

/** Replaces secrets by marks that name the rule, and counts them by rule. */
export type Redact = (text: string) => { readonly text: string; readonly found: ReadonlyMap<string, number> }

export interface SliceGate {
  /** The version of the redaction's rules; `off` where it was switched off. Stands in each slice's header. */
  readonly rules: number | 'off'
  /** The gate of one session; `openCalls` is what the gate before it left, see `SessionGuard.openCalls`. */
  readonly session: (openCalls?: readonly string[]) => SessionGate
}

export interface SessionGate extends Pick<SessionGuard, 'openCalls' | 'isRun'> {
  /** First, and over every record, also those that are not written. */
  guard(record: SessionRecord): SessionRecord | undefined
  /**
   * What may be written of it, a tool record's text cut to about `most` characters; undefined where nothing is left. A call's id that is long
   * or holds what may not be written becomes another one, the same for all records of the call.
   */
  clean(record: SessionRecord, most?: number): SessionRecord | undefined
  /** A header field: one line, and no long one. */
  field(text: string): string
  /** Secrets removed, by rule. */
  readonly removed: ReadonlyMap<string, number>
  readonly left: LeftOut
}

/** What was cut, for the slice's header and the report. */
export interface LeftOut {
  readonly images: number
  /** Characters of data and of the middle of long texts. */
  readonly characters: number
}

/** Of a message: 32,000 characters are some 8,000 tokens, more than anybody types; longer ones are pasted files and logs. */
const MESSAGE: Ends = { head: 24_000, tail: 8_000 }
const TOOL: Ends = { head: 12_000, tail: 4_000 }
/** Of a title, a folder, a branch: longer ones are no names any more. */
const FIELD: Ends = { head: 300, tail: 100 }
/** Of a tool's name, in every line of it: models take none beyond 128. */
const TOOL_NAME: Ends = { head: 96, tail: 32 }
/** Ids of calls that stand in a slice as they are; hosts' own have up to 60 characters. */
const LONGEST_ID = 80
/**
 * Longer texts are not redacted whole, only so far beyond what stays of them: a secret on the edge is seen whole, or what stays of it lacks
 * so many characters. (Private keys are longer; they are known by either end alone.)
 */
const MARGIN = 1_024
/** Cut off at the inner end of what was redacted: there the beginning of a secret may stand whose end was not looked at. */
const EDGE = 512
/** In such texts longer runs of data go before the cut, so that words behind a picture are seen. No key is as long. */
const LEAST_LARGE_DATA = 8_192

type Tool = NonNullable<SessionRecord['tool']>

export interface SliceGateOptions {
  readonly nonces: readonly string[]
  /** Trees of memU that do not lie below a `.memu`. */
  readonly roots: readonly string[]
  readonly home: string
  /** Undefined where redaction is switched off. */
  readonly redact?: Redact
  readonly rules: number | 'off'
}

export function sliceGate({ redact = unredacted, rules, ...options }: SliceGateOptions): SliceGate {
  const guards = loopGuard(options)
  return {
    rules,
    session(before) {
      const guard = guards(before)
      const removed = createCounter()
      let images = 0
      let characters = 0

      const redacted = (text: string): string => {
        const result = redact(text)
        removed.add(result.found)
        return result.text
      }
      const dataless = (text: string, least: number): string => {
        const result = withoutData(text, least)
        images += result.images
        characters += result.left
        return result.text
      }
      const sized = (text: string, ends: Ends): string => {
        characters += Math.max(text.length - ends.head - ends.tail, 0)
        return shorten(text, ends)
      }
      /** Head and tail of a text that is too long to be redacted whole. */
      const ofLong = (text: string, { head, tail }: Ends): string => {
        const first = dataless(redacted(headOf(text, head + MARGIN)), LEAST_DATA)
        const last = dataless(redacted(tailOf(text, tail + MARGIN)), LEAST_DATA)
        const [kept, end] = [
          headOf(first, Math.min(head, Math.max(first.length - EDGE, 0))),
          tailOf(last, Math.min(tail, Math.max(last.length - EDGE, 0))),
        ]
        const cut = text.length - kept.length - end.length
        characters += cut
        return `${kept}${leftOut(cut)}${end}`
      }
      const clean = (text: string, ends: Ends): string => {
        const isLong = text.length > ends.head + ends.tail + 2 * MARGIN
        const lean = isLong ? dataless(text, LEAST_LARGE_DATA) : text
        if (lean.length > ends.head + ends.tail + 2 * MARGIN) return ofLong(lean, ends)
        return sized(dataless(redacted(lean), LEAST_DATA), ends)
      }

      const field = (text: string, ends: Ends): string => clean(guard.text(text), ends).replace(/\s*[\r\n]\s*/g, ' ')
      const cleanTool = (tool: Tool): Tool => {
        const name = tool.name === undefined ? undefined : field(tool.name, TOOL_NAME)
        const call = tool.call === undefined || isPlainId(tool.call) ? tool.call : digest(tool.call)
        return name === tool.name && call === tool.call ? tool : { ...tool, ...(name !== undefined && { name }), ...(call && { call }) }
      }
      const isPlainId = (id: string): boolean => id.length <= LONGEST_ID && redacted(guard.text(id)) === id

      return {
        guard: (record) => guard.pass(record),
        isRun: (message) => guard.isRun(message),
        clean(record, most = Number.POSITIVE_INFINITY) {
          const text = clean(record.text, record.kind === 'message' ? MESSAGE : within(TOOL, most))
          if (record.kind === 'message' && text.trim() === '') return undefined
          const tool = record.tool && cleanTool(record.tool)
          return text === record.text && tool === record.tool ? record : { ...record, text, ...(tool && { tool }) }
        },
        field: (text) => field(text, FIELD),
        removed: removed.counts,
        get openCalls() {
          return guard.openCalls
        },
        get left() {
          return { images, characters }
        },
      }
    },
  }
}

const NOTHING: ReadonlyMap<string, number> = new Map()
const unredacted: Redact = (text) => ({ text, found: NOTHING })
