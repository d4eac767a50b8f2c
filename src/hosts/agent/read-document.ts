/**
 * Reading a session that is one JSON document. Programs write it anew with every turn, so there is no offset to go on from: the
 * elements before the cursor are hashed as they pass, and only what follows is parsed.
 */
import { reason } from '../../util/errors.ts'
import { digest, type JsonObject, openFile } from '../../util/jsonl.ts'
import { firstTime } from '../jsonl-session.ts'
import type { ReadResult, SessionRecord, SourceCursor } from '../transcript-source.ts'
import { classify, type Reading, type State } from './classify.ts'
import { elements } from './document.ts'
import { factsOf, note } from './facts.ts'

export interface DocumentRead extends Reading {
  readonly path: string
  readonly since: SourceCursor | undefined
  readonly emit: (record: SessionRecord) => void | Promise<void>
  readonly signal: AbortSignal | undefined
}

/** After so many milliseconds other work of the process, such as Ctrl-C, gets its turn. */
const BREATHE = 50

/** How far the last read came. */
interface Mark {
  readonly elements: number
  /** Over the bytes of these elements, in order. */
  readonly hash: string
}

/** Errors: `session_unreadable` as `openFile`; the signal's reason when aborted. */
export async function readDocument(read: DocumentRead): Promise<ReadResult> {
  const mark = asMark(read.since)
  const goneOn = mark === undefined ? undefined : await pass(read, mark)
  return goneOn ?? { ...(await passWhole(read)), restarted: read.since !== undefined }
}

async function passWhole(read: DocumentRead): Promise<ReadResult> {
  const result = await pass(read, { elements: 0, hash: '' })
  if (result === undefined) throw new Error('a read from the start has nothing before it that could differ')
  return result
}

/** Undefined where what lies before the mark is not what it was; nothing was handed out then. */
async function pass(read: DocumentRead, mark: Mark): Promise<ReadResult | undefined> {
  const source = openFile(read.path)
  try {
    const state: State = {}
    const isNew = firstTime()
    let bad = 0
    let firstBad: ReadResult['firstBad']
    let count = 0
    let hash = ''
    let breath = performance.now()
    const reading = elements(source)
    let next = reading.next()
    for (; !next.done; next = reading.next()) {
      read.signal?.throwIfAborted()
      const { offset, bytes, field } = next.value
      try {
        if (field !== undefined) {
          note({ [field]: parse(bytes) }, state, false)
          continue
        }
        // Checked before anything is handed out that follows it.
        if (count === mark.elements && hash !== mark.hash) return undefined
        hash = digest(hash, bytes ?? '')
        // Those before are looked at as well: what follows may be told by them.
        const records = classify(parse(bytes), state, read)
        if (++count > mark.elements) for (const record of records) if (isNew(record)) await read.emit(record)
      } catch (error) {
        if (read.signal?.aborted) throw error
        count++
        bad++
        firstBad ??= { offset, reason: reason(error) }
      }
      if (performance.now() - breath > BREATHE) {
        await new Promise(setImmediate)
        breath = performance.now()
      }
    }
    if (count < mark.elements || (count === mark.elements && hash !== mark.hash)) return undefined
    if (!next.value) {
      bad++
      firstBad ??= { offset: 0, reason: 'not a JSON document' }
    }
    const cursor = { elements: count, hash }
    return { cursor, restarted: false, bad, ...(firstBad === undefined ? {} : { firstBad }), facts: factsOf(state) }
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
