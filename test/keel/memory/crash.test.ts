/** A daemon that is killed, at each moment in which an event is on its way. */
import { join } from 'node:path'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import { BUCKET, openMemory } from '../../../src/keel/memory/open.ts'
import { program, run } from '../../helpers/programs.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'

const COUNT = 3
const system = testSystem()
let file: string

beforeAll(async () => {
  file = await program('keel-memory-program')
})

type Server = Awaited<ReturnType<typeof fakeAw>>

/** Runs the daemon and kills it when its so-manieth insert arrives: before it is stored (`hang`), or after and unanswered (`deaf`). */
async function runAndKill(server: Server, store: string, at: number, how: 'hang' | 'deaf'): Promise<number> {
  let inserts = 0
  const daemon = run(process.execPath, [file, server.url, store, '0', String(COUNT)])
  server.trouble = ({ method, path }) => {
    if (method !== 'POST' || !path.endsWith('/events') || ++inserts < at) return undefined
    daemon.child.kill('SIGKILL')
    return how
  }
  const { signal, stdout } = await daemon.ended
  expect(signal).toBe('SIGKILL')
  server.trouble = undefined
  return stdout.split('\n').filter((line) => line.startsWith('remembered')).length
}

for (const personality of ['python', 'rust'] as const) {
  for (const how of ['hang', 'deaf'] as const) {
    for (const at of [1, 2, COUNT]) {
      it(`keeps each event once where it is killed at insert ${at} (${how}) into the ${personality} server`, async () => {
        const server = await fakeAw({ personality })
        onTestFinished(() => server.stop())
        const store = join(temporaryFolder(), 'events.db')
        const remembered = await runAndKill(server, store, at, how)
        // It was written here before it was sent; what the daemon said of it may have been lost on the way.
        expect(remembered).toBeLessThanOrEqual(at)
        const memory = openMemory({ aw: awClient({ url: server.url, system }), file: store, system, copyPatienceMs: 10_000 })
        onTestFinished(() => memory.close())
        await memory.flush()
        const expected = [...Array(at).keys()]
        expect(server.stored(BUCKET).map(({ n }) => n)).toEqual(expected)
        expect((await memory.latest()).map(({ data }) => data.n)).toEqual([...expected].reverse())
        expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0 })
      })
    }
  }
}

it('remembers what was recorded without ActivityWatch where it is killed', async () => {
  const server = await fakeAw()
  await server.stop()
  const store = join(temporaryFolder(), 'events.db')
  const daemon = run(process.execPath, [file, server.url, store, '0', '20'])
  await daemon.printed('remembered 12')
  daemon.child.kill('SIGKILL')
  const { stdout } = await daemon.ended
  await server.start()
  onTestFinished(() => server.stop())
  const memory = openMemory({ aw: awClient({ url: server.url, system }), file: store, system, copyPatienceMs: 10_000 })
  onTestFinished(() => memory.close())
  await memory.flush()
  const stored = server.stored(BUCKET).map(({ n }) => n)
  const remembered = stdout.split('\n').filter((line) => line.startsWith('remembered')).length
  // One more may have been written of which it could not say so any more.
  expect(stored).toEqual([...Array(stored.length).keys()])
  expect(stored.length - remembered).toBeOneOf([0, 1])
})
