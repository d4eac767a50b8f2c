/**
 * The transcripts of older versions, as plain text: `user:` or `assistant:` on a line of its own, then what was said, and marks in brackets
 * for thoughts, calls and results. Nothing is written in this form any more, so a file that did change is read from its start.
 */
import { asFingerprint, type ByteSource, fingerprint, matches, openFile, readLines } from '../../util/jsonl.ts'
import type { SessionRead } from '../jsonl-session.ts'
import { repeats } from '../repeats.ts'
import type { ReadResult } from '../transcript-source.ts'
import { promptOf, spokenOf } from './human-text.ts'
import { keyed, type Unkeyed } from './speech.ts'
import { timeOf } from './timestamp.ts'
import type { Transcript } from './transcript-line.ts'

const TURN = /^(user|assistant|human|A|H):[ \t]*$/
const MARK = /^\[(Thinking|Tool call|Tool result)\](.*)$/
/** What is kept of one part, in characters: a file that is no transcript must not fill the memory. */
const MOST = 1024 * 1024

interface Part {
  readonly kind: 'user' | 'assistant' | 'call' | 'result' | 'thinking'
  /** Of a call or a result. */
  readonly tool?: string
  lines: string[]
  length: number
}

/** Errors: as `readSession`. */
export async function readPlainTranscript(transcript: Transcript, { path, since, emit, signal }: SessionRead): Promise<ReadResult> {
  const source = openFile(path)
  try {
    const made = asFingerprint(since)
    if (made !== undefined && matches(source, made) && source.readAt(made.offset, Buffer.alloc(1)) === 0) {
      return { cursor: { ...made }, restarted: false, bad: 0, facts: transcript.facts() }
    }
    const seen = repeats(undefined)
    const lines = textLines(source)
    for (const part of parts(lines)) {
      signal?.throwIfAborted()
      const record = recordOf(part, transcript)
      if (record !== undefined) await emit(keyed(record, seen))
    }
    return { cursor: { ...fingerprint(source, lines.end) }, restarted: since !== undefined, bad: 0, facts: transcript.facts() }
  } finally {
    source.close()
  }
}

interface TextLines extends Iterable<string> {
  /** Where the text ended, once all lines were taken. */
  readonly end: number
}

function textLines(source: ByteSource): TextLines {
  const lines = readLines(source, 0)
  let end = 0
  function* texts(): Generator<string> {
    for (const { bytes } of lines) if (bytes !== undefined) yield bytes.toString('utf8').replace(/\r$/, '')
    const rest = Buffer.alloc(MOST)
    const count = source.readAt(lines.position, rest)
    end = lines.position + count
    if (count > 0) yield rest.toString('utf8', 0, count) // Text need not end with a newline.
  }
  return {
    get end() {
      return end
    },
    [Symbol.iterator]: texts,
  }
}

function* parts(lines: Iterable<string>): Generator<Part> {
  let part: Part | undefined
  let role: 'user' | 'assistant' = 'assistant'
  /** Inside `<user_query>` a person may well write such marks. */
  let inQuery = false
  for (const line of lines) {
    const turn = inQuery ? undefined : TURN.exec(line)?.[1]
    const mark = inQuery || role === 'user' ? null : MARK.exec(line)
    if (turn !== undefined) {
      if (part !== undefined) yield part
      role = turn === 'user' || turn === 'human' || turn === 'H' ? 'user' : 'assistant'
      part = { kind: role, lines: [], length: 0 }
    } else if (mark !== null && part !== undefined) {
      yield part
      const kind = mark[1] === 'Thinking' ? 'thinking' : mark[1] === 'Tool call' ? 'call' : 'result'
      const rest = (mark[2] ?? '').trim()
      part = kind === 'thinking' ? { kind, lines: [], length: 0 } : { kind, tool: rest, lines: [], length: 0 }
    } else if (part?.kind === 'thinking' && line.trim() === '') {
      yield part // A thought ends with its paragraph.
      part = { kind: role, lines: [], length: 0 }
    } else if (part !== undefined && part.length < MOST) {
      part.lines.push(line)
      part.length += line.length + 1
    }
    if (role === 'user' && line.includes('<user_query>')) inQuery = true
    if (line.includes('</user_query>')) inQuery = false
  }
  if (part !== undefined) yield part
}

function recordOf({ kind, tool, lines }: Part, { isSubagent, changed, now }: Transcript): Unkeyed | undefined {
  const text = lines.join('\n').trim()
  if (kind === 'call' || kind === 'result') {
    return { kind: 'tool', role: 'tool', text: kind === 'call' ? commandOf(text) : text, tool: { part: kind, ...(tool && { name: tool }) } }
  }
  if (kind === 'thinking' || isSubagent) return undefined
  const said = kind === 'user' ? promptOf(text) : { text: spokenOf(text) }
  if (said.text === '') return undefined
  const at = said.time === undefined ? undefined : timeOf(said.time, changed, now)
  return { kind: 'message', role: kind, text: said.text, ...(at && { at }) }
}

/** The arguments of a call stand one a line, `name: value`: of a shell the command itself. */
function commandOf(text: string): string {
  return /^\s*command: ([\s\S]*?)(?=\n\s*\w+: |$)/.exec(text)?.[1] ?? text
}
