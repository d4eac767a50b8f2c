/** When an event is taken for one that ActivityWatch does not take. */
import { expect, it } from 'vitest'
import { newSuspects } from '../../../src/keel/memory/suspects.ts'
import type { FakeRequest, Trouble } from '../fake-aw/fake-aw.mjs'
import { isIn, made, numbersOf, until, world } from './world.ts'

const isInsert = ({ method, path }: FakeRequest) => method === 'POST' && path.endsWith('/events')
const failing =
  (how: Trouble, isMeant: (body: string) => boolean) =>
  (request: FakeRequest): Trouble | undefined =>
    isInsert(request) && isMeant(request.body) ? how : undefined
const all = () => true

it('brings everything over that was recorded while ActivityWatch failed on every event, however often that was tried', async () => {
  const { server, lines, open, numbers } = await world()
  const memory = open({ probeEveryMs: 20 })
  await isIn(memory, 'activitywatch')
  server.trouble = failing('error', all)
  for (let n = 1; n <= 12; n++) {
    await memory.record(made(n))
    await memory.flush()
  }
  const tries = server.requests.filter(isInsert).length
  await until(() => expect(server.requests.filter(isInsert).length).toBeGreaterThan(tries + 30))
  server.trouble = undefined
  await memory.record(made(13))
  await until(() => expect(memory.state().waiting).toBe(0))
  expect([...numbers()].sort((a, b) => Number(a) - Number(b))).toEqual([...Array(13).keys()].map((n) => n + 1))
  expect(lines.filter((line) => line.includes('does not take'))).toEqual([])
})

it('keeps an event here on which it fails again and again while it takes others in between, and tries it once more the next time', async () => {
  const { server, lines, open, numbers } = await world()
  server.trouble = failing('html', (body) => body.includes('"n":2,'))
  const memory = open()
  await memory.record(made(1))
  await memory.record(made(2))
  for (let n = 3; memory.state().waiting > 0 || n < 5; n++) {
    await memory.record(made(n))
    await memory.flush()
    const tries = server.requests.length
    if (memory.state().waiting > 0) await until(() => expect(server.requests.length).toBeGreaterThan(tries))
  }
  expect(numbers()).not.toContain(2)
  expect(numbersOf(await memory.latest())).toContain(2)
  expect(lines.filter((line) => line.includes('does not take an event'))).toHaveLength(1)
  await memory.close()
  server.trouble = undefined
  const next = open()
  await until(() => expect(numbers()).toContain(2))
  await until(() => expect(next.state().waiting).toBe(0))
})

it('asks as often in an interval where much was recorded as where little was', async () => {
  const { server, open } = await world()
  const memory = open({ probeEveryMs: 60_000 })
  await isIn(memory, 'activitywatch')
  server.trouble = failing('redirect', all)
  let timers = 0
  const real = globalThis.setTimeout
  globalThis.setTimeout = ((work: () => void, ms?: number) => {
    if (ms === 60_000 && /start\(\)/.test(String(work))) timers++
    return real(work, ms)
  }) as typeof setTimeout
  try {
    for (let n = 0; n < 10; n++) {
      await memory.record(made(n))
      await memory.flush()
    }
  } finally {
    globalThis.setTimeout = real
  }
  expect(server.requests.filter(isInsert).length).toBeGreaterThan(1)
  expect(timers).toBe(1)
})

it('counts a failure only where something else was taken since the last one, and lets an event rest in between', () => {
  let time = 0
  const suspects = newSuspects(10, () => time)
  const after = (ms: number, isTaken: boolean): boolean => {
    time += ms
    if (isTaken) suspects.taken([99])
    return suspects.failed(1)
  }
  expect([after(0, false), after(20, false), after(20, false), after(20, true), after(20, false)]).toEqual(Array(5).fill(false))
  expect([...suspects.resting()]).toEqual([1])
  time += 10
  expect([...suspects.resting()]).toEqual([])
  expect(after(20, true)).toBe(true)
  suspects.taken([1])
  expect(after(20, true)).toBe(false)
})
