import { describe, expect, it } from 'vitest'
import { type LogSink, newLog } from '../../../src/keel/daemon/log.ts'

/** What was written, and how full it is. */
function sink(): LogSink & { text: string; full: number; failure: Error | undefined } {
  const state = {
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
})
