/** One test's world: an empty folder with the log of a host in it, and the host's source over that log. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Report, SessionRef, SourceCursor, TranscriptSource } from '../../../src/hosts/transcript-source.ts'
import { realSystem, type System } from '../../../src/util/system.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../host-log.ts'
import { noReport, type Read, readAll } from '../transcript-source.ts'

export interface HostWorld {
  /** A folder of the test's own, around `root`. */
  readonly scratch: string
  /** Holds the log, and nothing else at first. */
  readonly root: string
  readonly log: HostLog
  readonly source: TranscriptSource
  readonly system: System
  /** The session of a number, and the one of number 1. */
  readonly id: (number: number) => string
  readonly first: string
  /** What the source calls a session. */
  readonly refId: (session: string) => string
  discover(report?: Report): SessionRef[]
  /** The session as it is discovered now. */
  ref(session: string): SessionRef
  read(session: string, since?: SourceCursor): Promise<Read>
}

/** Not long after the sessions of a test took place. */
export const NOW = new Date('2026-10-01T00:00:00Z')

/** `folder` is the name of the one in which the log lies: hosts do not choose where a home is. */
export async function hostWorld(fixture: HostLogFixture, folder = 'home'): Promise<HostWorld> {
  const scratch = fs.mkdtempSync(join(tmpdir(), 'memu-host-'))
  const root = join(scratch, folder)
  fs.mkdirSync(root)
  const log = fixture.open(root)
  onTestFinished(() => {
    log.close()
    fs.chmodSync(scratch, 0o700)
    fs.rmSync(scratch, { recursive: true, force: true, maxRetries: 5 })
  })
  // Neither the environment nor the home of who runs the tests: a host may look for more than the log it was given.
  const system: System = { ...realSystem(), env: {}, home: join(scratch, 'nobody'), cwd: scratch, now: () => NOW }
  const source = await fixture.spec.source(log.sessionDir, system)
  const refId = fixture.refId ?? ((session) => session)
  const discover = (report: Report = noReport): SessionRef[] => source.discover(report)
  function ref(session: string): SessionRef {
    const found = discover().find(({ id }) => id === refId(session))
    if (found === undefined) throw new Error(`the session ${session} was not discovered`)
    return found
  }
  return {
    scratch,
    root,
    log,
    source,
    system,
    id: fixture.id,
    first: fixture.id(1),
    refId,
    discover,
    ref,
    read: async (session, since) => await readAll(source, ref(session), since),
  }
}

/** `count` messages by turns of the user and the agent, numbered from `from`: odd numbers are the user's. */
export function talk(from: number, count: number): LogEvent[] {
  return Array.from({ length: count }, (_, i) => {
    const number = from + i
    return number % 2 === 1
      ? { kind: 'user', number, text: `question number ${number}` }
      : { kind: 'assistant', number, text: `answer number ${number}` }
  })
}

export const said = (events: readonly LogEvent[]): string[] => events.map(({ text }) => text)

/** As the manifest keeps it from run to run. */
export const stored = (cursor: SourceCursor): SourceCursor => JSON.parse(JSON.stringify(cursor)) as SourceCursor
