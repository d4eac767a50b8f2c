import { expect, it, onTestFinished } from 'vitest'
import { type Connection, newConnection } from '../../../src/keel/memory/connection.ts'

const EVERY = 30_000

/** A server that answers when it is told to, a clock that is set by hand, and everything that was looked for and told. */
function opened(failure?: Error) {
  const looks: string[] = []
  const told: string[] = []
  let time = 1_000_000
  const look = (what: string) => async (): Promise<void> => {
    looks.push(what)
    if (failure !== undefined) throw failure
  }
  const connection = newConnection({
    reach: look('reach'),
    check: look('check'),
    now: () => new Date(time),
    everyMs: EVERY,
    onUp: () => told.push('up'),
    onDown: (why) => told.push(`down: ${why}`),
  })
  onTestFinished(() => connection.close())
  return {
    connection,
    looks,
    told,
    succeed: () => {
      failure = undefined
    },
    fail: (error: Error) => {
      failure = error
    },
    pass: (ms: number) => {
      time += ms
    },
  }
}

/** What a look has under way is over. */
async function settled(connection: Connection): Promise<void> {
  await connection.first
  await new Promise((resolve) => setImmediate(resolve))
}

it('looks once when it starts, and says so when the server is there', async () => {
  const { connection, looks, told } = opened()
  expect(connection).toMatchObject({ isUp: false, reason: undefined })
  await connection.first
  expect(connection).toMatchObject({ isUp: true, reason: undefined, since: new Date(1_000_000) })
  expect([looks, told]).toEqual([['reach'], ['up']])
})

it('looks again on use at most every thirty seconds while the server is away, and tells once each way', async () => {
  const { connection, looks, told, succeed, pass } = opened(new Error('refused\nby it'))
  await settled(connection)
  expect(connection).toMatchObject({ isUp: false, reason: 'refused by it' })
  pass(EVERY - 1)
  connection.nudge()
  expect(looks).toHaveLength(1)
  pass(1)
  connection.nudge()
  connection.nudge()
  await settled(connection)
  expect(looks).toHaveLength(2)
  succeed()
  pass(EVERY)
  connection.nudge()
  await settled(connection)
  expect(connection).toMatchObject({ isUp: true, reason: undefined, since: new Date(1_000_000 + 2 * EVERY) })
  pass(EVERY)
  connection.nudge()
  expect(looks).toHaveLength(3)
  expect(told).toEqual(['down: refused by it', 'up'])
})

it('takes a failed use for an outage, tells it once, and looks a whole interval later', async () => {
  const { connection, looks, told, pass } = opened()
  await settled(connection)
  connection.lost(new Error('first'))
  connection.lost(new Error('second'))
  expect(connection).toMatchObject({ isUp: false, reason: 'second' })
  pass(EVERY - 1)
  connection.nudge()
  expect(looks).toEqual(['reach'])
  pass(1)
  connection.nudge()
  await settled(connection)
  expect(told).toEqual(['up', 'down: first', 'up'])
})

it('looks also after a clock was set back', async () => {
  const { connection, looks, pass } = opened(new Error('away'))
  await settled(connection)
  pass(-10 * EVERY)
  connection.nudge()
  expect(looks).toHaveLength(2)
})

it('tells and looks for nothing any more once it is closed', async () => {
  const { connection, looks, told, pass } = opened()
  await settled(connection)
  await connection.close()
  connection.lost(new Error('away'))
  pass(EVERY)
  connection.nudge()
  expect([looks, told]).toEqual([['reach'], ['up']])
})

it('looks at once whether a server that is in doubt is still ready for use, and takes it for away only where it is not', async () => {
  const { connection, looks, told, fail } = opened()
  await connection.first
  connection.doubt()
  await settled(connection)
  expect([looks, told]).toEqual([['reach', 'reach'], ['up']])
  fail(new Error('a key is needed'))
  connection.doubt()
  await settled(connection)
  expect(told).toEqual(['up', 'down: a key is needed'])
  // That it is away is known: the next look comes in its time.
  connection.doubt()
  expect(looks).toHaveLength(3)
})
