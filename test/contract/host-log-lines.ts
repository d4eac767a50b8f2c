/** The log of a host that writes JSON lines, made from the lines that its other tests use. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { HostSpec } from '../../src/hosts/host-spec.ts'
import type { HostLog, HostLogFixture, LogEvent } from './host-log.ts'
import type { SourceFixture } from './transcript-source.ts'

/** So many characters are written at once: one string of a whole log would not fit. */
const WRITE = 8 * 1024 * 1024

/** `more` adds what the lines do not say, such as what the host lacks. */
export function fromLines(spec: HostSpec, lines: SourceFixture, more: Partial<HostLogFixture> = {}): HostLogFixture {
  const line = (session: string, { kind, number, text }: LogEvent): string => lines[kind](session, number, text)
  return { spec, name: lines.name, id: lines.id, line, open: (root) => openLines(lines, line, root), ...more }
}

function openLines(lines: SourceFixture, line: NonNullable<HostLogFixture['line']>, root: string): HostLog {
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
    close() {},
  }
}
