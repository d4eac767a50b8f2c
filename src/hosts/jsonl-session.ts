/**
 * What every JSON-lines source does alike: verify the cursor, read on from it or start anew, count what is bad, hand out
 * each record once. What a record means is the dialect's.
 */
import { reason } from '../util/errors.ts'
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

export interface SessionRead {
  readonly path: string
  /** Opens the log; the default is a plain file. */
  readonly open?: (path: string) => ByteSource
  readonly since: SourceCursor | undefined
  readonly emit: (record: SessionRecord) => void | Promise<void>
  readonly signal: AbortSignal | undefined
}

const TOO_LONG: ParsedLine = { records: [], bad: 'the line is too long' }
/** After so many milliseconds other work of the process, such as Ctrl-C, gets its turn. */
const BREATHE = 50
/** How many keys are remembered to drop records that the host wrote twice; older ones are forgotten in bulk. */
const KEYS = 100_000

/** Errors: `session_unreadable` as `openFile`; the signal's reason when aborted. */
export async function readSession<State extends object>(dialect: Dialect<State>, read: SessionRead): Promise<ReadResult> {
  const source = (read.open ?? openFile)(read.path)
  try {
    const made = asFingerprint(read.since)
    const goesOn = made !== undefined && matches(source, made)
    const state = dialect.restore(goesOn ? (read.since?.state as JsonObject) : undefined)
    const isNew = firstTime()

    let bad = 0
    let firstBad: ReadResult['firstBad']
    const note = (offset: number, why: string) => {
      bad++
      firstBad ??= { offset, reason: why }
    }

    const handOut = async (records: readonly SessionRecord[]): Promise<void> => {
      for (const record of records) {
        read.signal?.throwIfAborted() // A line may hold many.
        if (isNew(record)) await read.emit(record)
      }
    }

    /** A record that is too strange even to be looked at, nested thousands deep for example, costs itself alone. */
    const classified = (value: JsonObject, offset: number): readonly SessionRecord[] => {
      try {
        return dialect.classify(value, state)
      } catch (error) {
        note(offset, reason(error))
        return []
      }
    }

    const lines = readLines(source, goesOn ? made.offset : 0, dialect.filter)
    let breath = performance.now()
    for (const line of lines) {
      read.signal?.throwIfAborted()
      const parsed = line.bytes === undefined ? TOO_LONG : parseLine(line.bytes.toString('utf8'), dialect.isRecord)
      if (parsed.bad !== undefined) note(line.offset, parsed.bad)
      for (const value of parsed.records) await handOut(classified(value, line.offset))
      if (performance.now() - breath > BREATHE) {
        await new Promise(setImmediate)
        breath = performance.now()
      }
    }
    await handOut(dialect.finish?.(state) ?? [])
    return {
      cursor: { ...fingerprint(source, lines.position), state },
      restarted: read.since !== undefined && !goesOn,
      bad,
      ...(firstBad === undefined ? {} : { firstBad }),
      facts: dialect.facts(state),
    }
  } finally {
    source.close()
  }
}

/** True the first time that a record's key comes by, in bounded memory. */
export function firstTime(): (record: SessionRecord) => boolean {
  let recent = new Set<string>()
  let older = new Set<string>()
  return ({ key }) => {
    if (recent.has(key) || older.has(key)) return false
    if (recent.size >= KEYS) {
      older = recent
      recent = new Set()
    }
    recent.add(key)
    return true
  }
}
