import { describe, expect, it } from 'vitest'
import { STOP_SIGNALS, stopSignals } from '../../../src/keel/daemon/signals.ts'

function signals() {
  const listeners = new Map<string, () => void>()
  const exits: number[] = []
  let time = 1_000
  const stop = stopSignals((code) => exits.push(code), { on: (signal, listener) => void listeners.set(signal, listener), now: () => time })
  return {
    stop,
    exits,
    send: (signal: string, after = 1_000) => {
      time += after
      listeners.get(signal)!()
    },
  }
}

describe('the signals that end a daemon', () => {
  it.each(STOP_SIGNALS)('takes a first %s for the wish to stop', (signal) => {
    const { stop, exits, send } = signals()
    expect(stop.aborted).toBe(false)
    send(signal)
    expect([stop.aborted, exits]).toEqual([true, []])
  })

  it('does not wait any longer at the second Ctrl-C or SIGTERM, with the exit code that a shell would show', () => {
    for (const [second, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const) {
      const { exits, send } = signals()
      send('SIGINT')
      send(second)
      expect(exits).toEqual([code])
    }
  })

  it('takes what comes twice of one wish for one: a Ctrl-C that is passed on, and all that a closed terminal sends', () => {
    const { exits, send } = signals()
    send('SIGINT')
    send('SIGINT', 5)
    const hungUp = signals()
    hungUp.send('SIGHUP')
    hungUp.send('SIGHUP', 1)
    hungUp.send('SIGHUP')
    expect([exits, hungUp.exits]).toEqual([[], []])
    send('SIGINT')
    expect(exits).toEqual([130])
  })
})
