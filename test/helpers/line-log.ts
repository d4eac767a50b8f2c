/** A log of JSON lines in a folder of the test's own, read by the host's source. */
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { SessionRef, SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { noReport, type Read, readAll, type SourceFixture } from '../contract/transcript-source.ts'
import { temporaryFolder } from './temporary.ts'

export interface LineLog {
  readonly directory: string
  readonly source: TranscriptSource
  sessions(): SessionRef[]
  /** The session becomes these lines and is read. */
  read(lines: readonly string[], session?: string): Promise<Read>
  /** Lines are added, and the session read on. */
  readOn(lines: readonly string[], since: SourceCursor): Promise<Read>
  /** Another file of the log, by its path in it. */
  write(path: string, lines: readonly string[]): void
  remove(path: string): void
  readId(id: string, since?: SourceCursor): Promise<Read>
}

export async function lineLog(fixture: SourceFixture): Promise<LineLog> {
  const directory = join(temporaryFolder(), 'log')
  mkdirSync(directory)
  const source = await fixture.open(directory)
  const first = fixture.id(1)
  const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('')
  const sessions = (): SessionRef[] => source.discover(noReport)

  function put(path: string, lines: readonly string[]): void {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text(lines))
  }
  async function readId(id: string, since?: SourceCursor): Promise<Read> {
    const found = sessions().find((session) => session.id === id)
    if (found === undefined) throw new Error(`the session ${id} was not discovered`)
    return await readAll(source, found, since)
  }
  return {
    directory,
    source,
    sessions,
    readId,
    read(lines, session = first) {
      put(fixture.path(directory, session), lines)
      return readId(session)
    },
    readOn(lines, since) {
      appendFileSync(fixture.path(directory, first), text(lines))
      return readId(first, JSON.parse(JSON.stringify(since)) as SourceCursor)
    },
    write: (path, lines) => put(join(directory, path), lines),
    remove: (path) => rmSync(join(directory, path)),
  }
}
