/**
 * Reading a session that is one JSON document. Programs write it anew with every turn, so there is no offset to go on from: the
 * elements before the cursor are hashed as they pass, and only what follows is parsed.
 */
import { digest, type JsonObject, openFile } from '../../util/jsonl.ts'
import { delivery, type Taker } from '../delivery.ts'
import { sessionFacts } from '../fields.ts'
import { repeats } from '../repeats.ts'
import type { ReadResult, SessionRecord, SourceCursor } from '../transcript-source.ts'
import { classify, type Reading, type State } from './classify.ts'
import { type Element, elements } from './document.ts'
import { note } from './facts.ts'

export interface DocumentRead extends Reading, Taker {
  readonly path: string
  readonly since: SourceCursor | undefined
}

/** How far the last read came. */
interface Mark {
  readonly elements: number
  /** Over the bytes of these elements, in order. */
  readonly hash: string
}

/**
 * Undefined where the file is no document after all, but lines. Errors: `session_unreadable` as `openFile`; the signal's reason when
 * aborted; what `emit` throws.
 */
export async function readDocument(read: DocumentRead): Promise<ReadResult | undefined> {
  const mark = asMark(read.since)
  const goneOn = mark === undefined ? 'differs' : await pass(read, mark)
  if (goneOn !== 'differs') return goneOn
  const whole = await pass(read, { elements: 0, hash: '' })
  if (whole === 'differs') throw new Error('a read from the start has nothing before it that could differ')
  return whole && { ...whole, restarted: read.since !== undefined }
}

/** `differs` where what lies before the mark is not what it was; nothing was handed out then. */
async function pass(read: DocumentRead, mark: Mark): Promise<ReadResult | undefined | 'differs'> {
  const source = openFile(read.path)
  try {
    const state: State = {}
    const seen = repeats(undefined)
    const out = delivery(read)
    const recordsOf = ({ offset, bytes, field }: Element): readonly SessionRecord[] =>
      out.attempt({ offset }, () => {
        if (field === undefined) return classify(parse(bytes), state, { ...read, seen })
        note({ [field]: parse(bytes) }, state, false)
        return []
      })

    let count = 0
    let hash = ''
    const reading = elements(source)
    let next = reading.next()
    for (; !next.done; next = reading.next()) {
      const element = next.value
      // Those before the mark are looked at as well: what follows may be told by them.
      const records = recordsOf(element)
      if (element.field === undefined) {
        if (count === mark.elements && hash !== mark.hash) return 'differs'
        hash = digest(hash, element.bytes ?? '')
        count++
      }
      await out.handOut(count > mark.elements ? records : [])
    }
    if (count < mark.elements || (count === mark.elements && hash !== mark.hash)) return 'differs'
    if (count === 0 && next.value === 'more') return undefined
    if (next.value === 'none' || next.value === 'more') out.bad({ offset: 0 }, 'not one JSON document')
    const cursor = { elements: count, hash }
    return { cursor, restarted: false, ...out.counts(), facts: sessionFacts(state) }
  } finally {
    source.close()
  }
}

function parse(bytes: Buffer | undefined): JsonObject {
  if (bytes === undefined) throw new Error('it is too long')
  return JSON.parse(bytes.toString('utf8')) as JsonObject
}

function asMark(value: unknown): Mark | undefined {
  const { elements: count, hash } = (value ?? {}) as Record<string, unknown>
  return typeof count === 'number' && Number.isSafeInteger(count) && count >= 0 && typeof hash === 'string'
    ? { elements: count, hash }
    : undefined
}
