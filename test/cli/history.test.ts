import { describe, expect, it } from 'vitest'
import { historyText } from '../../src/cli/memu/history.ts'

const at = '2026-03-01T10:02:00.000Z'
const version = (number: number, content: string, more: object = {}) => ({
  ...{ version: number, track: 'memory', name: 'n', description: 'd', content, change: 'updated' as const, at },
  ...more,
})

describe('the history of a file', () => {
  it('names where a version came from, a new description, and what was only moved', () => {
    const provenance = { host: 'codex', sessions: ['6d0f6a3e-9d57'] }
    expect(
      historyText('memory/n', [version(3, 'b\na'), version(2, 'a\nb', { provenance }), version(1, 'a\nb', { description: 'x' })], 2),
    ).toBe(
      [
        'memory/n',
        '  3  2026-03-01 10:02  updated',
        '     the same lines, in another order or spacing',
        '  2  2026-03-01 10:02  updated, from 1 session of codex (6d0f6a3e)',
        '     description: d',
        '  1 earlier: --limit 3',
        '',
        'To go back: memu restore memory/n --at 2\n',
      ].join('\n'),
    )
  })

  it('tells edits by hand, and of a version only the sessions that came with it', () => {
    const first = { host: 'codex', hosts: ['codex'], sessions: ['a', 'b'], projects: ['/p'], to: '2026-03-01T10:00:00.000Z' }
    const second = { ...first, hosts: ['codex', 'cursor'], host: 'cursor', sessions: ['a', 'b', 'c'] }
    const versions = [
      version(8, '8', { provenance: { ...second, to: '2026-03-02T10:00:00.000Z' } }),
      version(7, '7', { provenance: second }),
      version(6, '2', { provenance: first, change: 'restored' }),
      version(5, '5', { provenance: { ...second, by_hand: true } }),
      version(4, '4', { provenance: second }),
      version(3, '3', { provenance: { ...first, by_hand: true } }),
      version(2, '2', { provenance: first }),
      version(1, '1', { provenance: { by_hand: true }, change: 'created' }),
    ]
    expect(
      historyText('memory/n', versions, 9)
        .split('\n')
        .filter((line) => line.includes('2026-03-01 10:02'))
        .map((line) => line.slice('  8  2026-03-01 10:02  '.length)),
    ).toEqual([
      'updated, from 1 session of cursor (c), 2026-03-02, in /p',
      'updated, from 1 session of cursor (c), in /p',
      'restored, as in version 2',
      'edited by hand',
      'updated, from 1 session of cursor (c), in /p',
      'edited by hand',
      'updated, from 2 sessions of codex (a, b), 2026-03-01, in /p',
      'created by hand',
    ])
  })

  it('names no sessions where nothing tells which of them a version came from', () => {
    const provenance = { host: 'codex', sessions: ['a', 'b'], to: '2026-03-01T10:00:00.000Z' }
    expect(historyText('memory/n', [version(2, '2', { provenance }), version(1, '1', { provenance })], 1)).toContain(
      '2026-03-01 10:02  updated\n',
    )
  })

  it('shows of a long change the beginning, and of a forgotten file no lines', () => {
    const long = version(2, Array.from({ length: 20 }, (_, line) => `line ${line}`).join('\n'), { change: 'restored' })
    const text = historyText('memory/n', [long, version(1, 'a', { change: 'forgotten' })], 10)
    expect(text).toContain('     + line 4\n     … 15 more\n  1  2026-03-01 10:02  forgotten\n')
    expect(text).not.toContain('To go back')
  })

  it('quotes a name that a shell would read as more than a word', () => {
    const text = historyText("memory/it's $(here)", [version(2, 'b'), version(1, 'a')], 9)
    expect(text).toContain("memu restore 'memory/it'\\''s $(here)' --at 1\n")
  })

  it('lets no control character of a name or line reach the terminal', () => {
    const hostile = 'x\u001b[2J\u0007'
    expect(historyText(hostile, [version(2, hostile, { description: hostile }), version(1, '')], 9)).not.toMatch(/[\u001b\u0007]/)
  })
})
