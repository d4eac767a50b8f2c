/** The log of a host that writes JSON lines, made from the lines that its other tests use. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import type { HostLog, HostLogFixture, LogEvent } from './host-log.ts'
import type { SourceFixture } from './transcript-source.ts'

/** So many characters are written at once: one string of a whole log would not fit. */
const WRITE = 8 * 1024 * 1024

/** How a host forks a session of lines, and takes back turns in it. */
export interface LineForking {
  /** The lines with which the session `to` begins, made of those of `from` at the time `number`. */
  readonly fork: (lines: readonly string[], from: string, to: string, number: number) => readonly string[]
  /** The line with which the event `first` and all that follow are taken back, at the time `number`. */
  readonly takeBack?: (session: string, first: number, number: number) => string
}

/** `more` adds what the lines do not say, such as what the host lacks. */
export function fromLines(spec: HostSpec, lines: SourceFixture, more: Partial<HostLogFixture> = {}, forking?: LineForking): HostLogFixture {
  const line = (session: string, { kind, number, text }: LogEvent): string => lines[kind](session, number, text)
  const forks = forking && { forks: forking.takeBack === undefined ? (true as const) : ('and undoes' as const) }
  return { spec, name: lines.name, id: lines.id, line, open: (root) => openLines(lines, line, root, forking), ...forks, ...more }
}

function openLines(lines: SourceFixture, line: NonNullable<HostLogFixture['line']>, root: string, forking?: LineForking): HostLog {
  const sessionDir = join(root, 'log')
  fs.mkdirSync(sessionDir)
  const pathOf = (session: string): string => lines.path(sessionDir, session)

  function begin(session: string): number {
    const path = pathOf(session)
    fs.mkdirSync(dirname(path), { recursive: true })
    const isNew = !fs.existsSync(path)
    const fd = fs.openSync(path, 'a')
    if (isNew) for (const text of lines.opening(session)) fs.writeSync(fd, `${text}\n`)
    return fd
  }

  function appendRaw(session: string, added: Iterable<string | Uint8Array>): void {
    const fd = begin(session)
    let text = ''
    const flush = (): void => {
      if (text !== '') fs.writeSync(fd, text)
      text = ''
    }
    for (const raw of added) {
      if (typeof raw === 'string') text += `${raw}\n`
      else {
        flush()
        fs.writeSync(fd, raw)
        fs.writeSync(fd, '\n')
      }
      if (text.length > WRITE) flush()
    }
    flush()
    fs.closeSync(fd)
  }

  function* linesOf(session: string, events: readonly LogEvent[]): Generator<string> {
    for (const event of events) yield line(session, event)
  }

  return {
    sessionDir,
    appendRaw,
    append: (session, events) => appendRaw(session, linesOf(session, events)),
    rewrite(session, events) {
      fs.rmSync(pathOf(session), { force: true })
      appendRaw(session, linesOf(session, events))
    },
    appendBroken: (session) => appendRaw(session, ['{"broken']),
    fork(from, to, number) {
      const lines = fs.readFileSync(pathOf(from), 'utf8').trimEnd().split('\n')
      const copied = forking?.fork(lines, from, to, number) ?? []
      fs.mkdirSync(dirname(pathOf(to)), { recursive: true })
      fs.writeFileSync(pathOf(to), copied.map((text) => `${text}\n`).join(''))
    },
    takeBack(session, first, number) {
      if (forking?.takeBack !== undefined) appendRaw(session, [forking.takeBack(session, first, number)])
    },
    remove: (session) => fs.rmSync(pathOf(session)),
    close() {},
  }
}
