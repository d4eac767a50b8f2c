import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { timeLimit, withinTime } from '../../src/util/time-limit.ts'
import { untilAborted } from '../../src/util/until-aborted.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

describe('a time limit', () => {
  test('comes although the garbage is collected meanwhile and nobody holds the limit', async () => {
    const user = new AbortController()
    let isOver = false
    const over = withinTime(100, user.signal, (limit) => untilAborted(new Promise<string>(() => {}), limit, 'over'))
    void over.then(() => {
      isOver = true
    })
    while (!isOver) {
      collectGarbage()
      await setImmediate()
    }
    expect(await over).toBe('over')
  })

  test('tells that it was the time', async () => {
    const limit = timeLimit(1, new AbortController().signal)
    await new Promise((resolve) => limit.signal.addEventListener('abort', resolve))
    expect(limit.isOver).toBe(true)
    expect(limit.signal.reason).toMatchObject({ name: 'TimeoutError' })
  })

  test('ends with another signal, for its reason, and is not over then', () => {
    const user = new AbortController()
    const limit = timeLimit(60_000, undefined, user.signal)
    user.abort(new Error('cancelled'))
    expect(limit.signal.reason).toMatchObject({ message: 'cancelled' })
    expect(limit.isOver).toBe(false)
  })

  test('has ended where one of the signals had', () => {
    const limit = timeLimit(60_000, AbortSignal.abort(new Error('before')))
    expect(limit.signal.reason).toMatchObject({ message: 'before' })
  })

  test('hears nothing of the other signals once it was ended', () => {
    const user = new AbortController()
    const limit = timeLimit(60_000, user.signal)
    limit.end()
    user.abort()
    expect(limit.signal.aborted).toBe(false)
  })
})

test('no other place joins a timeout with other signals, for Node.js 20 forgets such a timeout', () => {
  const source = join(import.meta.dirname, '..', '..', 'src')
  const joined = readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('time-limit.ts'))
    .filter((file) => /AbortSignal\.any\([^)]*AbortSignal\.timeout/.test(readFileSync(join(source, file), 'utf8')))
  expect(joined).toEqual([])
})
