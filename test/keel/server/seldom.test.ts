import { describe, expect, it } from 'vitest'
import { newSeldomLog } from '../../../src/keel/server/seldom.ts'

function seldom() {
  const lines: string[] = []
  let time = 0
  const log = newSeldomLog({ log: (line) => lines.push(line), now: () => time })
  return { lines, log, later: (minutes: number) => (time += minutes * 60_000) }
}

describe('a log of what may come without end', () => {
  it('writes one line of a kind in ten minutes, and then how many more there were', () => {
    const { lines, log, later } = seldom()
    for (const line of ['a', 'b', 'a', 'a']) log(line)
    later(9.9)
    log('b')
    expect(lines).toEqual(['a', 'b'])
    later(0.1)
    log('a')
    expect(lines).toEqual(['a', 'b', 'server: 3 more of these came, and were not written', 'a'])
    later(10)
    log('c')
    expect(lines.slice(4)).toEqual(['c'])
  })

  it('does not take many kinds for a way around that', () => {
    const { lines, log } = seldom()
    for (let kind = 0; kind < 1_000; kind++) log(`kind ${kind}`)
    expect(lines).toHaveLength(50)
  })
})
