/**
 * Reads sessions full of damaged records between whole ones, a hundred thousand a parser. What must hold: no crash, no hang, bounded
 * memory, records as the port promises them, and every untouched neighbour once and in order.
 *
 * `MEMU_FUZZ_SEED=<number>` runs another sequence; a failure names its seed.
 */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { SessionRecord, SourceCursor } from '../../src/hosts/transcript-source.ts'
import { realSystem } from '../../src/util/system.ts'
import type { HostLog, HostLogFixture, LogEvent } from '../contract/host-log.ts'
import { type Random, random } from '../helpers/random.ts'

const RECORDS = 100_000
/** Of a fixture whose parser another one puts through all of them. */
const FEWER = 10_000
/** Many times what it takes: a parser that hangs is to be found, not a busy machine. Milliseconds. */
export const TIMEOUT = 600_000
const SEED = Number(process.env.MEMU_FUZZ_SEED ?? 20_260_901)
const SESSIONS = 10
/** Damaged records in a row, between two whole ones. */
const RUN = 100
const RUNS = 10
const BATCH = SESSIONS * RUN * RUNS
/** What a host may need more at the end than at the beginning. Everything ever read would be several times that. Bytes. */
const GROWTH = 250e6
const KINDS: readonly LogEvent['kind'][] = ['user', 'assistant', 'call', 'result', 'noise']

export interface Damage {
  /** Adds damaged records of these events to the session. */
  add(session: string, events: readonly LogEvent[], random: Random): void
  close(): void
}

/** How many records of it are damaged. */
export function damagedRecords({ sharesParser }: HostLogFixture): number {
  return sharesParser ? FEWER : RECORDS
}

/** `damage` says how records of this log are damaged. */
export async function fuzz(fixture: HostLogFixture, damage: (log: HostLog) => Damage): Promise<void> {
  let before = 0
  for (let batch = 0; batch < damagedRecords(fixture) / BATCH; batch++) {
    await fuzzBatch(fixture, damage, batch)
    if (batch === 0) before = process.memoryUsage().rss
  }
  expect(process.memoryUsage().rss - before, 'growth of memory').toBeLessThan(GROWTH)
}

async function fuzzBatch(fixture: HostLogFixture, damage: (log: HostLog) => Damage, batch: number): Promise<void> {
  const root = fs.mkdtempSync(join(tmpdir(), 'memu-fuzz-'))
  const log = fixture.open(root)
  const damaged = damage(log)
  try {
    const system = { ...realSystem(), env: {}, home: root, now: () => new Date('2026-10-01T00:00:00Z') }
    const source = await fixture.spec.source(log.sessionDir, system)
    const cursors = new Map<string, SourceCursor>()
    // In two steps, so that damage before a cursor meets what comes after it.
    for (const step of [0, 1]) {
      const chance = random(SEED + 1000 * batch + step)
      for (let session = 0; session < SESSIONS; session++) write(fixture.id(session + 1), step, log, damaged, chance)
      const found = new Map(source.discover(() => {}).map((ref) => [ref.id, ref]))
      for (let session = 0; session < SESSIONS; session++) {
        const id = fixture.refId?.(fixture.id(session + 1)) ?? fixture.id(session + 1)
        const what = `seed ${SEED}, batch ${batch}, session ${session}, step ${step}`
        const ref = found.get(id)
        if (ref === undefined) throw new Error(`${what}: not discovered`)
        const kept: string[] = []
        const result = await source.read(ref, cursors.get(id), (record) => {
          check(record, what)
          if (record.text.startsWith('neighbour ')) kept.push(record.text)
        })
        cursors.set(id, JSON.parse(JSON.stringify(result.cursor)) as SourceCursor)
        const from = result.restarted ? 0 : step
        const expected = Array.from({ length: step + 1 - from }, (_, i) => neighbours(from + i)).flat()
        expect(kept, what).toEqual(expected.map(({ text }) => text))
      }
    }
  } finally {
    damaged.close()
    log.close()
    fs.rmSync(root, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Numbers of one step: whole records at the multiples of `RUN + 1`, damaged ones between them. */
const numberOf = (step: number, run: number): number => 1 + (step * (RUNS / 2 + 1) + run) * 2 * (RUN + 1)

function neighbours(step: number): LogEvent[] {
  return Array.from({ length: RUNS / 2 + 1 }, (_, run) => {
    const number = numberOf(step, run)
    return { kind: run % 2 === 0 ? 'user' : 'assistant', number, text: `neighbour ${number}` }
  })
}

function write(session: string, step: number, log: HostLog, damaged: Damage, chance: Random): void {
  neighbours(step).forEach((neighbour, run) => {
    log.append(session, [neighbour])
    if (run === RUNS / 2) return
    const victims = Array.from({ length: RUN }, (_, i): LogEvent => {
      const kind = KINDS[(i + run) % KINDS.length]!
      return { kind, number: neighbour.number + 2 + 2 * i, text: `victim with "quotes", {braces} and \\ slashes ${i}` }
    })
    damaged.add(session, victims, chance)
  })
}

/** What the port promises of every record, whatever it was made of. */
function check(record: SessionRecord, what: string): void {
  const { kind, role, text, key, at, tool } = record
  const fine =
    typeof text === 'string' &&
    typeof key === 'string' &&
    key !== '' &&
    (kind === 'tool'
      ? role === 'tool' && tool !== undefined
      : kind === 'message' && /^(?:user|assistant)$/.test(role) && text.trim() !== '') &&
    (at === undefined || (new Date(at).toISOString() === at && at > '2015' && at < '2026-10-03')) &&
    [tool?.name, tool?.call].every((part) => part === undefined || typeof part === 'string')
  if (!fine) throw new Error(`${what}: not a record: ${JSON.stringify(record).slice(0, 1000)}`)
}
