import { describe, expect, it } from 'vitest'
import { type LogSink, newLog } from '../../../src/keel/daemon/log.ts'
import { queued } from '../../../src/keel/daemon/log-sink.ts'

/** What was written, and how full it is. */
function sink(): LogSink & { text: string; full: number; failure: Error | undefined } {
  const state = {
    isTimed: false,
    text: '',
    full: 0,
    failure: undefined as Error | undefined,
    write(text: string) {
      if (state.failure !== undefined) throw state.failure
      state.text += text
    },
    waiting: () => state.full,
    drained: () => (state.full === 0 ? Promise.resolve() : new Promise<void>(() => {})),
  }
  return state
}

describe('the log of the daemon', () => {
  it.each(['ENOSPC', 'EIO', 'EPIPE', 'EBADF'])('stops nothing where it cannot be written (%s), and says later what is missing', (code) => {
    const to = sink()
    const log = newLog(to)
    log.line('one')
    to.failure = Object.assign(new Error(code), { code })
    log.line('two')
    to.failure = undefined
    log.line('three')
    log.line('four')
    expect(to.text).toBe('one\nkeeld: 1 line could not be written here\nthree\nfour\n')
  })

  it('keeps no more than a little of what nobody reads, and counts the rest', () => {
    const to = sink()
    const log = newLog(to)
    to.full = 64 * 1024
    log.line('the last that is kept')
    to.full = 64 * 1024 + 1
    for (let line = 0; line < 1_000; line++) log.line('dropped')
    to.full = 0
    log.line('read again')
    expect(to.text).toBe('the last that is kept\nkeeld: 1000 lines could not be written here\nread again\n')
  })

  it('waits at the end until all is read, but not for ever', async () => {
    const to = sink()
    await newLog(to).flush(60_000)
    to.full = 1
    await newLog(to).flush(1)
  })

  it('says when a line was written where nobody else does', () => {
    const to = { ...sink(), isTimed: true }
    const written: string[] = []
    newLog({ ...to, write: (text) => written.push(text) }, () => new Date(2026, 5, 5, 9, 4, 7)).line('ready')
    expect(written).toEqual(['2026-06-05 09:04:07 ready\n'])
  })
})

describe('a terminal', () => {
  /** Takes so many bytes, and then none until there is room again. */
  function terminal(room: number) {
    const taken = { text: '', room, failure: 'EAGAIN' }
    const put = (bytes: Buffer): number => {
      const length = Math.min(bytes.length, taken.room)
      if (length === 0) throw Object.assign(new Error(taken.failure), { code: taken.failure })
      taken.text += bytes.subarray(0, length).toString()
      taken.room -= length
      return length
    }
    return { taken, to: queued(put, 1) }
  }

  it('that is stopped in the middle of a line gets the rest of it once it takes something again', async () => {
    const { taken, to } = terminal(4)
    const log = newLog(to, () => new Date(2026, 5, 5))
    log.line('one')
    log.line('two')
    expect(taken.text).toBe('2026')
    taken.room = 1_000
    await log.flush(10_000)
    expect(taken.text).toBe('2026-06-05 00:00:00 one\n2026-06-05 00:00:00 two\n')
    expect(to.waiting()).toBe(0)
  })

  it('that stays stopped is not waited for, and what is too much for it is counted', async () => {
    const { taken, to } = terminal(0)
    const log = newLog(to)
    for (let line = 0; line < 3_000; line++) log.line(`a line of the log: ${line}`)
    expect(to.waiting()).toBeLessThan(70_000)
    await log.flush(1)
    taken.room = Number.POSITIVE_INFINITY
    await log.flush(10_000)
    log.line('read again')
    expect(taken.text).toMatch(/\d+ lines could not be written here\n.* read again\n$/)
  })

  it('that is gone keeps nobody waiting', async () => {
    const { taken, to } = terminal(0)
    const log = newLog(to)
    log.line('one')
    taken.failure = 'EIO'
    await log.flush(10_000)
    expect(to.waiting()).toBe(0)
    expect(() => log.line('two')).not.toThrow()
  })
})
