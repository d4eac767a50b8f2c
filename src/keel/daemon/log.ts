/**
 * The daemon's log: lines to standard error. It never throws, stops for nobody who does not read, and keeps little of what nobody reads:
 * what could not be written is counted, and told of with the next line that can.
 */
export interface Log {
  readonly line: (text: string) => void
  /** Resolves when all is written, or after so many milliseconds. */
  readonly flush: (ms: number) => Promise<void>
}

/** Where the lines go. */
export interface LogSink {
  /** Nobody but us says when a line was written: a terminal, a file. */
  readonly isTimed: boolean
  /** Errors: those of the system: a full disk, a terminal that was closed. */
  readonly write: (text: string) => void
  /** Bytes that nobody has taken yet. */
  readonly waiting: () => number
  /** Resolves when nothing waits any more. */
  readonly drained: () => Promise<void>
}

/** Bytes: some hundred lines, for a reader that is slow and not gone. */
const BACKLOG = 64 * 1024

/** `line` and `flush` never throw, whatever the sink does. */
export function newLog({ isTimed, write, waiting, drained }: LogSink, now = (): Date => new Date()): Log {
  let missing = 0
  return {
    line(text) {
      if (waiting() > BACKLOG) return void missing++
      const time = isTimed ? `${stamp(now())} ` : ''
      const gap = missing === 0 ? '' : `${time}keeld: ${missing} ${missing === 1 ? 'line' : 'lines'} could not be written here\n`
      try {
        write(`${gap}${time}${text}\n`)
        missing = 0
      } catch {
        missing++ // There is nobody else to tell.
      }
    },
    async flush(ms) {
      let timer: NodeJS.Timeout | undefined
      const over = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, ms)
      })
      await Promise.race([drained(), over])
      clearTimeout(timer)
    },
  }
}

/** `2026-06-05 10:15:00`, by this machine's clock: who reads it looks at that one too. */
function stamp(at: Date): string {
  const two = (count: number): string => String(count).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}
