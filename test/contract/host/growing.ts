/** What a read from a cursor gives: all that is new, nothing twice, and the same keys for what a rewritten session keeps. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Emit, SessionRecord, SourceCursor } from '../../../src/hosts/transcript-source.ts'
import type { HostLogFixture, LogEvent } from '../host-log.ts'
import { hostWorld, said, stored, talk } from './world.ts'

export const REWRITES: readonly (readonly [string, (events: readonly LogEvent[]) => LogEvent[]])[] = [
  ['lost its last records', (events) => events.slice(0, -3)],
  ['lost its first records', (events) => events.slice(3)],
  ['lost some in the middle', (events) => [...events.slice(0, 2), ...events.slice(5)]],
  ['was begun anew', (events) => events.slice(0, 1)],
]

export function growingContract(fixture: HostLogFixture): void {
  it('reads on from a cursor only what is new, and of an unchanged session nothing', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 4))
    const before = await w.read(w.first)
    expect(before.texts).toEqual(said(talk(1, 4)))
    const unchanged = await w.read(w.first, stored(before.cursor))
    expect(unchanged).toMatchObject({ texts: [], restarted: false, bad: 0 })

    w.log.append(w.first, talk(5, 3))
    for (const cursor of [before.cursor, unchanged.cursor]) {
      const after = await w.read(w.first, stored(cursor))
      expect(after).toMatchObject({ texts: said(talk(5, 3)), restarted: false, bad: 0 })
      expect(after.facts).toEqual(before.facts)
      expect(await w.read(w.first, stored(after.cursor))).toMatchObject({ texts: [], restarted: false })
    }
  })

  it('may end a read where its taker has enough, and goes on behind that: nothing is lost and nothing comes twice', async () => {
    const w = await hostWorld(fixture)
    const tools: LogEvent[] = [5, 6, 7].flatMap((number) => [
      { kind: 'call', number, text: `ls ${number}` },
      { kind: 'result', number, text: `files of ${number}` },
    ])
    w.log.append(w.first, [...talk(1, 4), ...tools, ...talk(8, 4)])
    const all = (await w.read(w.first)).records
    for (const most of [1, 2, 3]) {
      const records: SessionRecord[] = []
      let cursor: SourceCursor | undefined
      for (let reads = 0, more = true; more; reads++) {
        expect(reads).toBeLessThanOrEqual(all.length)
        let taken = 0
        const emit: Emit = (record) => {
          records.push(record)
          return ++taken >= most ? 'enough' : undefined
        }
        const result = await w.source.read(w.ref(w.first), cursor, emit)
        expect(result).toMatchObject({ restarted: false, bad: 0 })
        cursor = stored(result.cursor)
        more = result.more === true
      }
      expect(records).toEqual(all)
      expect(await w.read(w.first, cursor)).toMatchObject({ texts: [], restarted: false })
    }
  })

  it('keeps the growth of one session out of another', async () => {
    const w = await hostWorld(fixture)
    const other = w.id(2)
    for (const id of [w.first, other]) w.log.append(id, talk(1, 3))
    const cursors = [(await w.read(w.first)).cursor, (await w.read(other)).cursor] as const
    w.log.append(other, talk(4, 2))
    w.log.append(w.first, talk(4, 1))
    expect((await w.read(w.first, stored(cursors[0]))).texts).toEqual(said(talk(4, 1)))
    expect((await w.read(other, stored(cursors[1]))).texts).toEqual(said(talk(4, 2)))
  })

  it.each(REWRITES)('notices that a session %s, with the keys that the records had', async (_, change) => {
    const w = await hostWorld(fixture)
    const events = talk(1, 9)
    w.log.append(w.first, events)
    const before = await w.read(w.first)
    const keys = new Map(before.records.map(({ text, key }) => [text, key]))
    const kept = change(events)
    const added = talk(21, 2)
    w.log.rewrite(w.first, [...kept, ...added])
    const after = await w.read(w.first, stored(before.cursor))
    expect(after.texts.slice(-2)).toEqual(said(added))
    // A host that marks what is gone needs no second reading; who begins anew says so and gives all that is there.
    expect(after.texts.slice(0, -2)).toEqual(after.restarted ? said(kept) : [])
    for (const { text, key } of after.records.slice(0, -2)) expect(key).toBe(keys.get(text))
    const known = new Set(keys.values())
    for (const { key } of after.records.slice(-2)) expect(known).not.toContain(key)
    expect(await w.read(w.first, stored(after.cursor))).toMatchObject({ texts: [], restarted: false })
  })

  it('begins anew, and says so, from a cursor that is not one of its own', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 3))
    const own = stored((await w.read(w.first)).cursor)
    const odd: SourceCursor[] = [
      {},
      { offset: 'x' },
      { offset: 1e12, head: 'a', tail: 'b' },
      { offset: -1, head: '', tail: '', state: 7 },
      { lines: 2 },
      Object.fromEntries(Object.keys(own).map((key) => [key, null])),
      Object.fromEntries(Object.keys(own).map((key) => [key, [{}, 'x']])),
      Object.fromEntries(Object.keys(own).map((key) => [key, -1e300])),
    ]
    for (const cursor of odd) {
      expect(await w.read(w.first, cursor), JSON.stringify(cursor)).toMatchObject({ restarted: true, texts: said(talk(1, 3)) })
    }
  })

  it('gives the same records in the same order whether it reads at once or as the session grows', async () => {
    const tools: LogEvent[] = [4, 6, 8].flatMap((number) => [
      { kind: 'call', number, text: `ls ${number}` },
      { kind: 'result', number, text: `files of ${number}` },
    ])
    const events = [...talk(1, 3), ...tools, { kind: 'noise', number: 10, text: 'nothing' } as const, ...talk(11, 4)]
    const w = await hostWorld(fixture)
    w.log.append(w.first, events)
    const expected = (await w.read(w.first)).records
    let session = 10
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(events.length), { maxLength: 5 }), async (cuts) => {
        const id = w.id(session++)
        const records: SessionRecord[] = []
        let cursor: SourceCursor | undefined
        let from = 0
        for (const cut of [...cuts.sort((a, b) => a - b), events.length]) {
          if (cut === 0) continue // There is no session yet.
          w.log.append(id, events.slice(from, cut))
          from = cut
          const read = await w.read(id, cursor)
          expect(read.restarted).toBe(false)
          records.push(...read.records)
          cursor = stored(read.cursor)
        }
        expect(records.map(withoutIds)).toEqual(expected.map(withoutIds))
      }),
      { numRuns: 25 },
    )
  })
}

/** A host may make the ids of records and calls from the session's. */
function withoutIds({ key: _, tool, ...record }: SessionRecord): unknown {
  if (tool === undefined) return record
  const { call: _call, ...rest } = tool
  return { ...record, tool: rest }
}
