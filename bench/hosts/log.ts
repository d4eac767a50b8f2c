/** A generated log of any host, through the port by which tests write it. The same events for all, the same ones every time. */
import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { sqliteClass } from '../../src/util/sqlite.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../../test/contract/host-log.ts'
import { random } from '../../test/helpers/random.ts'

const WORDS =
  'the build failed because a module loads before its config file and tests run in watch mode cannot read property of undefined function returns promise import from path server port database migration index cache timeout retry request user session token branch merge commit deploy staging please use instead of always never prefer check log error line value type string number'.split(
    ' ',
  )
const POOL = 4_000_000
/** So many characters are handed to the log at once. */
const PORTION = 4_000_000
/** Characters of text from which the size of a whole log is reckoned. */
const SAMPLE = 3_000_000

export interface WrittenLog {
  readonly log: HostLog
  readonly bytes: number
}

/** Writes `sessions` sessions of together about `bytes` bytes below `root`, an empty folder. */
export function writeHostLog(fixture: HostLogFixture, root: string, sessions: number, bytes: number): WrittenLog {
  const sample = join(root, 'sample')
  const ratio = write(fixture, sample, 4, SAMPLE).bytes / SAMPLE
  rmSync(sample, { recursive: true })
  return write(fixture, join(root, 'log'), sessions, bytes / ratio)
}

function write(fixture: HostLogFixture, root: string, sessions: number, characters: number): WrittenLog {
  mkdirSync(root)
  const log = fixture.open(root)
  const chance = random(7)
  const text = textPool()
  const said = (size: number): string => text(chance.next(), size)
  // Few sessions are long, most are short; together they have the size asked for.
  const weights = Array.from({ length: sessions }, () => Math.exp(2 * chance.next() + 2 * chance.next()))
  const sum = weights.reduce((a, b) => a + b)
  let written = 0
  weights.forEach((weight, at) => {
    const session = fixture.id(at + 1)
    const size = (characters * weight) / sum
    let events: LogEvent[] = []
    let number = 1
    for (let length = 0, portion = 0; length < size; ) {
      for (const event of turn(number, chance.next, said)) {
        number = event.number + 2
        if (!isWritten(event, fixture)) continue
        events.push(event)
        length += event.text.length
        portion += event.text.length
      }
      if (portion < PORTION && length < size) continue
      log.append(session, events)
      events = []
      written += portion
      portion = 0
    }
  })
  log.close()
  if (log.database !== undefined) settle(log.database)
  // A host that packs its records is measured by what is in them.
  return { log, bytes: Math.max(sizeOf(root), written) }
}

/** A host that logs no results, say, has more of the rest. */
function isWritten({ kind }: LogEvent, { lacks }: HostLogFixture): boolean {
  return !(kind === 'call' && lacks?.calls) && !(kind === 'result' && lacks?.results)
}

/**
 * A prompt, some rounds of a call and its result, the answer. By characters some 57 % are results, 37 % what the host notes beside
 * (`noise`), the rest is said.
 */
function* turn(first: number, next: () => number, said: (size: number) => string): Generator<LogEvent> {
  let number = first
  const after = (): number => (number += 2)
  yield { kind: 'user', number, text: said(40 + Math.floor(400 * next())) }
  yield { kind: 'noise', number: after(), text: said(3000) }
  const rounds = 1 + Math.floor(6 * next())
  for (let round = 0; round < rounds; round++) {
    const call = after()
    yield { kind: 'call', number: call, text: `npm test -- ${said(20).replaceAll('\n', ' ')}` }
    yield { kind: 'result', number: call, text: said(200 + Math.floor(12_000 * next() ** 3)) }
    if (next() < 0.4) yield { kind: 'noise', number: after(), text: said(3000) }
  }
  yield { kind: 'assistant', number: after(), text: said(300 + Math.floor(900 * next())) }
}

/** Stretches of one long text: making every word anew would take minutes. */
function textPool(): (at: number, size: number) => string {
  const chance = random(1)
  let text = ''
  while (text.length < POOL) text += `${chance.pick(WORDS)}${chance.next() < 0.08 ? '\n' : ' '}`
  return (at, size) => {
    const from = Math.floor(at * (text.length - size))
    // Never empty, whatever a host trims.
    return `${text.slice(from, from + size - 1)}.`
  }
}

/** Brings what a writer left in the write-ahead log into the file, so that its size is that of what is in it. */
function settle(path: string): void {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(path, {})
  database.exec('pragma wal_checkpoint(truncate)')
  database.close()
}

function sizeOf(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return files.reduce((sum, { parentPath, name }) => sum + lstatSync(join(parentPath, name)).size, 0)
}
