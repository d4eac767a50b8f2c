import { describe, expect, it } from 'vitest'
import { handText, minute, originText, size } from '../../src/cli/origin.ts'
import type { Provenance } from '../../src/records.ts'

describe('where a version came from', () => {
  it.each([
    [undefined, ''],
    [{}, ''],
    [{ host: 'codex' }, 'codex'],
    [{ host: 'codex', hosts: ['cursor', 'codex'], sessions: ['a', 'b'] }, '2 sessions of cursor, codex (a, b)'],
    [{ host: 'd', hosts: ['a', 'b', 'c', 'd'] }, 'b, c, d, 1 more'],
    [{ sessions: ['s'] }, '1 session (s)'],
    [
      { sessions: ['session-2026-11-28T10-00-1a2b3c4d', 'x'.repeat(50)] },
      `2 sessions (session-2026-11-28T10-00-1a2b3c4d, ${'x'.repeat(39)}…)`,
    ],
    [{ from: '2026-02-01T10:00:00.000Z', to: '2026-02-01T11:00:00.000Z' }, '2026-02-01'],
    [
      {
        host: 'codex',
        sessions: ['11111111-1', '22222222-2', '33333333-3', '44444444-4', '55555555-5'],
        projects: ['/a', '/b'],
        from: '2026-02-01T10:00:00.000Z',
        to: '2026-03-01T10:00:00.000Z',
      },
      '5 sessions of codex (33333333, 44444444, 55555555, 2 more), 2026-02-01 to 2026-03-01, in /a, /b',
    ],
    [{ host: 'a\u001b[2Jb', projects: ['/x\ny'] }, 'a [2Jb, in /x y'],
  ])('of %j is %j', (provenance, text) => {
    expect(originText(provenance)).toBe(text)
  })

  it('is a hand where nothing else is known, or beside the sessions of the rest', () => {
    const of: (Provenance | undefined)[] = [undefined, { host: 'a' }, { by_hand: true }, { host: 'a', sessions: ['s'], by_hand: true }]
    expect(of.map((provenance) => handText(provenance))).toEqual(['', '', 'written by hand', 'last edited by hand'])
  })

  it('comes with a time to the minute and a size to read', () => {
    expect(minute('2026-03-01T10:02:59.123Z')).toBe('2026-03-01 10:02')
    expect([size('é'), size('x'.repeat(1340))]).toEqual(['2 B', '1.3 kB'])
  })
})
