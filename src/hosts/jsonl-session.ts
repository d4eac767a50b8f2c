/** What every JSON-lines source does alike: verify the cursor, read on from it or start anew. What a record means is the dialect's. */
import {
  asFingerprint,
  type ByteSource,
  fingerprint,
  type JsonObject,
  type LineFilter,
  matches,
  openFile,
  type ParsedLine,
  parseLine,
  readLines,
} from '../util/jsonl.ts'
import { delivery, type Taker } from './delivery.ts'
import { storedState } from './fields.ts'
import type { ReadResult, SessionFacts, SessionRecord, SourceCursor } from './transcript-source.ts'

export interface Dialect<State> {
  /** Decides from the first bytes of a line whether it can matter. */
  readonly filter: LineFilter
  /** Tells a record of the log from an object inside one; asked only about damaged lines. */
  readonly isRecord: (value: JsonObject) => boolean
  /** What is remembered from read to read (plain JSON), from a cursor or, where there is none, at the start of the file. */
  readonly restore: (stored: JsonObject | undefined) => State
  /** What one line holds for the miner; notes in `state` what it says of the session. */
  readonly classify: (value: JsonObject, state: State) => readonly SessionRecord[]
  /** What it held back and now hands out, at the end of the lines that are there. */
  readonly finish?: (state: State) => readonly SessionRecord[]
  readonly facts: (state: State) => SessionFacts
}

export interface SessionRead extends Taker {
  readonly path: string
  /** Opens the log; the default is a plain file. */
  readonly open?: (path: string) => ByteSource
  readonly since: SourceCursor | undefined
}

const TOO_LONG: ParsedLine = { records: [], bad: 'the line is too long' }

/** Errors: `session_unreadable` as `openFile`; the signal's reason when aborted. */
export async function readSession<State extends object>(dialect: Dialect<State>, read: SessionRead): Promise<ReadResult> {
  const source = (read.open ?? openFile)(read.path)
  try {
    const made = asFingerprint(read.since)
    const goesOn = made !== undefined && matches(source, made)
    const state = dialect.restore(goesOn ? (read.since?.state as JsonObject) : undefined)
    const out = delivery(read)
    const lines = readLines(source, goesOn ? made.offset : 0, dialect.filter)
    let more = false
    for (const { offset, bytes } of lines) {
      const parsed = bytes === undefined ? TOO_LONG : parseLine(bytes.toString('utf8'), dialect.isRecord)
      if (parsed.bad !== undefined) out.bad({ offset }, parsed.bad)
      if (await out.handOut(parsed.records.flatMap((value) => out.attempt({ offset }, () => dialect.classify(value, state))))) {
        more = source.readAt(lines.position, Buffer.alloc(1)) > 0
        break
      }
    }
    await out.handOut(dialect.finish?.(state) ?? [])
    return {
      cursor: { ...fingerprint(source, lines.position), state: storedState(state) },
      restarted: read.since !== undefined && !goesOn,
      ...(more && { more }),
      ...out.counts(),
      facts: dialect.facts(state),
    }
  } finally {
    source.close()
  }
}
