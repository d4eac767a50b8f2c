/** A server, a place for the embedded store, and daemons that use both one after another. */
import { join } from 'node:path'
import { expect, onTestFinished, vi } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import { BUCKET, openMemory } from '../../../src/keel/memory/open.ts'
import type { KeelEvent, KeelMemory } from '../../../src/keel/memory/store.ts'
import { sqliteClass } from '../../../src/util/sqlite.ts'
import { event } from '../../contract/keel-memory.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'

export interface World {
  readonly server: Awaited<ReturnType<typeof fakeAw>>
  readonly file: string
  readonly lines: string[]
  open(options?: Partial<Parameters<typeof openMemory>[0]>): KeelMemory
  /** The `n` of what lies in the bucket. */
  numbers(): unknown[]
  /** The clock of those that are opened. */
  setClock(ms: number): void
}

export async function world(
  options: {
    personality?: 'python' | 'rust'
    isAway?: boolean
    timeLimitMs?: number
    drops?: (data: Record<string, unknown>) => boolean
  } = {},
): Promise<World> {
  const { personality = 'python', isAway = false, timeLimitMs = 1000, drops = () => false } = options
  const server = await fakeAw({ personality, drops })
  onTestFinished(() => server.stop())
  if (isAway) await server.stop()
  const file = join(temporaryFolder(), 'keel', 'events.db')
  const lines: string[] = []
  let clock = 0
  return {
    server,
    file,
    lines,
    open(rest = {}) {
      const system = { ...testSystem(), now: () => event('', clock).at }
      const memory = openMemory({
        aw: awClient({ url: server.url, system, timeLimitMs }),
        file,
        system,
        log: (line) => lines.push(line),
        probeEveryMs: 20,
        // A flush is until all is there, where a test does not say otherwise.
        copyPatienceMs: 10_000,
        ...rest,
      })
      onTestFinished(() => memory.close())
      return memory
    },
    numbers: () => server.stored(BUCKET).map(({ n }) => n),
    setClock(ms) {
      clock = ms
    },
  }
}

export const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 10_000, interval: 5 })
export const numbersOf = (events: readonly { readonly data: Readonly<Record<string, unknown>> }[]) => events.map(({ data }) => data.n)
export const isIn = (memory: KeelMemory, where: string) => until(() => expect(memory.state().where).toBe(where))
export const made = (n: number) => event('proposal_made', n, { n, proposal_id: `p${n}` })

/** As somebody else would who has the file. */
export function execute(file: string, sql: string): void {
  const DatabaseSync = sqliteClass()
  const database = new DatabaseSync(file, {})
  database.exec(sql)
  database.close()
}

/** A disk that is full, and one that has room again. */
export const fill = (file: string) =>
  ['insert', 'update'].forEach((what) => {
    for (const table of ['events', 'facts']) {
      execute(file, `create trigger ${what}_${table} before ${what} on ${table} begin select raise(abort, 'the disk is full'); end`)
    }
  })
export const empty = (file: string) =>
  ['insert', 'update'].forEach((what) => {
    for (const table of ['events', 'facts']) execute(file, `drop trigger ${what}_${table}`)
  })

/** As somebody else writes into the bucket. */
export async function insertThere(server: World['server'], ...events: readonly KeelEvent[]): Promise<void> {
  const client = awClient({ url: server.url, system: testSystem() })
  await client.ensureBucket(BUCKET, 'keel.event', 'keel')
  await client.insert(
    BUCKET,
    events.map(({ kind, at, data }) => ({ timestamp: at, duration: 0, data: { _kind: kind, ...data } })),
  )
}
