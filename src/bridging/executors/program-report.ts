/** Reads what an agent program prints about its run: JSON, whole or a line at a time. Everything in it is data. */
import type { SecretTest } from './builtin/secrets.ts'

export interface ProgramReport {
  /** Takes one line of output. */
  line(text: string): void
  /** Ids under which the program may have logged the run. */
  readonly sessions: ReadonlySet<string>
  /** Summed over the run; undefined where the program names none. */
  readonly tokens: () => { readonly input: number; readonly output: number } | undefined
  /** The last lines, one a row, without control characters and without lines that may hold a secret. */
  readonly tail: () => readonly string[]
}

const TAIL_LINES = 12
const TAIL_WIDTH = 300
/** Ids come from the program itself, at the top level of a record. Text deeper inside may be anybody's. */
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export function programReport(mayHoldSecret: SecretTest): ProgramReport {
  const sessions = new Set<string>()
  let last: string[] = []
  let input = 0
  let output = 0
  let counted = false
  const keep = (text: string): void => {
    for (const row of text.split('\n')) {
      const shown = shownLine(row, mayHoldSecret)
      if (shown !== '') last.push(shown)
    }
    last = last.slice(-TAIL_LINES)
  }
  return {
    sessions,
    line(text) {
      const record = asRecord(text)
      if (record === undefined) return keep(text)
      for (const id of [record.session_id, record.thread_id]) if (typeof id === 'string' && ID.test(id)) sessions.add(id)
      const usage = record.usage as Record<string, unknown> | undefined
      if (typeof usage?.input_tokens === 'number' && typeof usage.output_tokens === 'number') {
        input += usage.input_tokens
        output += usage.output_tokens
        counted = true
      }
      const said = record.result ?? record.message ?? (record.item as Record<string, unknown> | undefined)?.text ?? record.error
      if (typeof said === 'string') keep(said)
    },
    tokens: () => (counted ? { input, output } : undefined),
    tail: () => last,
  }
}

/** A line of a program's as a log may show it; empty where it says nothing. */
export function shownLine(line: string, mayHoldSecret: SecretTest): string {
  const plain = line.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()
  return mayHoldSecret(plain) ? '[a line that may hold a secret]' : plain.slice(0, TAIL_WIDTH)
}

function asRecord(text: string): Record<string, unknown> | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined // A line of plain text that begins with a brace.
  }
}
