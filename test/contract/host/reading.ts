/** What the records of a session are, and what damage among them costs. */
import { expect, it } from 'vitest'
import type { SessionRecord } from '../../../src/hosts/transcript-source.ts'
import type { HostLogFixture, LogEvent } from '../host-log.ts'
import { hostWorld, said, stored, talk } from './world.ts'

const SESSION: readonly LogEvent[] = [
  { kind: 'user', number: 1, text: 'why does checkout fail?' },
  { kind: 'assistant', number: 2, text: 'Let me run the tests.' },
  { kind: 'noise', number: 3, text: 'noise '.repeat(100) },
  { kind: 'call', number: 4, text: 'npm test' },
  { kind: 'result', number: 4, text: 'TypeError: tax is undefined\n  at "checkout.ts":12 \\ 漢字 🙂' },
  { kind: 'call', number: 6, text: "git commit -m 'it''s fixed' && echo $HOME" },
  { kind: 'result', number: 6, text: '1 file changed' },
  { kind: 'assistant', number: 8, text: 'The rate was read too early: `tax()`\n\nNow it is not.' },
]

export function readingContract(fixture: HostLogFixture): void {
  const lacks = fixture.lacks ?? {}
  const isMined = ({ kind }: LogEvent): boolean =>
    kind !== 'noise' && !(kind === 'call' && lacks.calls) && !(kind === 'result' && lacks.results)

  it('takes messages, calls and results for what they are, in order, and noise for nothing', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, SESSION)
    const { records, bad, restarted } = await w.read(w.first)
    expect(records.map(shape)).toEqual(SESSION.filter(isMined).map(expectedShape))
    expect({ bad, restarted }).toEqual({ bad: 0, restarted: false })
    expect(new Set(records.map(({ key }) => key)).size).toBe(records.length)
  })

  it.skipIf(lacks.times)('gives each record the time at which the host logged it', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, SESSION)
    const { records } = await w.read(w.first)
    const times = SESSION.filter(isMined).map(({ number }) => new Date(Date.UTC(2026, 8, 1, 8) + number * 1000).toISOString())
    expect(records.map(({ at }) => at)).toEqual(times)
  })

  it.skipIf(!lacks.times)('invents no times for a host that logs none', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, SESSION)
    for (const record of (await w.read(w.first)).records) expect(record).not.toHaveProperty('at')
  })

  it.skipIf(lacks.calls || lacks.results)('joins a call and its result by one id, which no other call has', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, SESSION)
    const calls = (await w.read(w.first)).records.flatMap(({ tool }) => (tool === undefined ? [] : [tool.call]))
    expect(calls[0]).toBeTypeOf('string')
    expect(calls).toEqual([calls[0], calls[0], calls[2], calls[2]])
    expect(calls[2]).not.toBe(calls[0])
  })

  it('costs a record that cannot be read itself alone: it is counted, its neighbours come through', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 2))
    w.log.appendBroken(w.first)
    w.log.append(w.first, talk(3, 2))
    const { texts, bad, firstBad } = await w.read(w.first)
    expect(texts).toEqual(said(talk(1, 4)))
    expect(bad).toBe(1)
    // Where it is: in the bytes of a log of lines; among the session's records where each is a row or a file of its own.
    const where = fixture.line === undefined ? { record: expect.any(Number) } : { offset: expect.any(Number) }
    expect(firstBad).toEqual({ ...where, reason: expect.stringMatching(/./) })
  })

  it('keeps what was said whatever characters it is made of', async () => {
    const w = await hostWorld(fixture)
    const texts = [
      '"quoted" \\ back\\\\slash \\n',
      '{"type":"user","text":"not a record"}',
      'tab\there\r\nand there',
      '漢字 🙂 e\u0301 \u2028 \u200d',
      "it's; DROP TABLE--",
      '</user_query> & <b>',
    ]
    const events = texts.map((text, i): LogEvent => ({ kind: 'assistant', number: 2 + 2 * i, text }))
    w.log.append(w.first, [...talk(1, 1), ...events])
    expect((await w.read(w.first)).texts).toEqual(['question number 1', ...texts])
  })

  it('gives what is said again in the same words each time, in a read of its own as well', async () => {
    const w = await hostWorld(fixture)
    const rounds = [1, 3, 5].flatMap((number): LogEvent[] => [
      { kind: 'user', number, text: 'continue' },
      { kind: 'assistant', number: number + 1, text: 'Done.' },
    ])
    w.log.append(w.first, rounds.slice(0, 3))
    const before = await w.read(w.first)
    w.log.append(w.first, rounds.slice(3))
    const after = await w.read(w.first, stored(before.cursor))
    expect([...before.texts, ...after.texts]).toEqual(said(rounds))
    const { texts, records } = await w.read(w.first)
    expect(texts).toEqual(said(rounds))
    expect(records.map(({ key }) => key)).toEqual([...before.records, ...after.records].map(({ key }) => key))
    expect(new Set(records.map(({ key }) => key)).size).toBe(rounds.length)
  })

  it('hands records out one at a time, waits for each, and stops when asked', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 6))
    const stop = new AbortController()
    const seen: string[] = []
    let busy = false
    const emit = async ({ text }: SessionRecord): Promise<void> => {
      expect(busy).toBe(false)
      busy = true
      await Promise.resolve()
      busy = false
      seen.push(text)
      if (seen.length === 3) stop.abort(new Error('enough'))
    }
    await expect(w.source.read(w.ref(w.first), undefined, emit, stop.signal)).rejects.toThrow('enough')
    expect(seen).toEqual(said(talk(1, 3)))
    expect((await w.read(w.first)).texts).toHaveLength(6)
  })
}

function shape({ kind, role, text, tool }: SessionRecord): unknown {
  return [kind, role, tool?.part, tool?.part === 'call' ? text.includes('npm test') || text.includes('git commit') : text]
}

/** Of a call it must be there what was run; a host may say more. */
function expectedShape({ kind, text }: LogEvent): unknown {
  if (kind === 'call') return ['tool', 'tool', 'call', true]
  return kind === 'result' ? ['tool', 'tool', 'result', text] : ['message', kind, undefined, text]
}
