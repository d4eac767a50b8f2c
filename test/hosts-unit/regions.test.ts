import { describe, expect, it } from 'vitest'
import { type Region, regions } from '../../src/hosts/regions.ts'
import type { SessionRef, SourceCursor, TranscriptSource } from '../../src/hosts/transcript-source.ts'
import { noReport } from '../contract/transcript-source.ts'

const ref = (id: string, place: string, modified = 1): SessionRef => ({ id, owner: id, path: `${place}/${id}`, size: 1, modified })

/** A region whose reads name it as the title. */
function region(place: string, sessions: readonly SessionRef[], more: Partial<TranscriptSource> = {}): Region {
  const source: TranscriptSource = {
    exists: () => sessions.length > 0,
    discover: () => [...sessions],
    read: async () => ({ cursor: { place }, restarted: false, bad: 0, facts: { title: place } }),
    ...more,
  }
  return { place, source }
}

const fails = (): never => {
  throw new Error('the disk is on fire')
}

describe('several regions as one source', () => {
  it('finds what each of them holds and reads a session where it was found', async () => {
    const source = regions([region('/a', [ref('1', '/a')]), region('/b', [ref('2', '/b')])])
    const found = source.discover(noReport)
    expect(found.map(({ id }) => id)).toEqual(['1', '2'])
    for (const session of found) {
      const { facts } = await source.read(session, undefined, () => {})
      expect(session.path.startsWith(facts.title ?? '?')).toBe(true)
    }
  })

  it('reports a region that fails as a whole, and finds what the others hold', () => {
    const problems: unknown[] = []
    const source = regions([region('/a', [], { discover: fails }), region('/b', [ref('2', '/b')])])
    expect(source.discover((problem) => void problems.push(problem)).map(({ id }) => id)).toEqual(['2'])
    expect(problems).toEqual([{ path: '/a', reason: 'the disk is on fire' }])
  })

  it('passes on what a region could not read in part', () => {
    const problems: unknown[] = []
    const partly: TranscriptSource['discover'] = (report) => {
      report({ path: '/a/closed', reason: 'EACCES' })
      return [ref('1', '/a')]
    }
    const source = regions([region('/a', [], { discover: partly })])
    expect(source.discover((problem) => void problems.push(problem))).toHaveLength(1)
    expect(problems).toEqual([{ path: '/a/closed', reason: 'EACCES' }])
  })

  it.each([
    ['newest', ['/a', '/b'], '/b'],
    ['newest', ['/b', '/a'], '/b'],
    ['first', ['/a', '/b'], '/a'],
    ['first', ['/b', '/a'], '/b'],
  ] as const)('takes of a session in two regions the %s one, of %j that in %s', async (counts, order, place) => {
    const times = { '/a': 10, '/b': 20 }
    const source = regions(
      order.map((name) => region(name, [ref('1', name, times[name])])),
      counts,
    )
    const found = source.discover(noReport)
    expect(found).toEqual([ref('1', place, times[place])])
    expect((await source.read(found[0]!, undefined, () => {})).facts.title).toBe(place)
  })

  describe('of which the first one counts', () => {
    const keyed = (place: string, problem: () => boolean): Region =>
      region(place, [], {
        discover: (report) => {
          if (!problem()) return [ref('1', place)]
          report({ path: `${place}/database`, reason: 'locked' })
          return []
        },
      })

    it('lets a session that was read in one with a problem wait for it, with its cursor as it was', async () => {
      let isLocked = false
      const source = regions([keyed('/a', () => isLocked), keyed('/b', () => false)], 'first')
      const read = async (since?: SourceCursor) => await source.read(source.discover(noReport)[0]!, since, () => {})
      const { cursor } = await read()
      isLocked = true
      expect(await read(cursor)).toEqual({ cursor, restarted: false, bad: 0, facts: {} })
      // Nobody has read this one yet, or it is in the other region that it was read.
      for (const since of [undefined, {}, { region: '/b' }, { region: '/c' }, { region: 7 }]) {
        expect((await read(since)).facts.title, JSON.stringify(since)).toBe('/b')
      }
      isLocked = false
      expect((await read(cursor)).facts.title).toBe('/a')
    })

    it('reads on in another one where the first has it no more', async () => {
      let isGone = false
      const first = region('/a', [], { discover: () => (isGone ? [] : [ref('1', '/a')]) })
      const source = regions([first, keyed('/b', () => false)], 'first')
      const { cursor } = await source.read(source.discover(noReport)[0]!, undefined, () => {})
      isGone = true
      expect((await source.read(source.discover(noReport)[0]!, cursor, () => {})).facts.title).toBe('/b')
    })
  })

  it('exists where one of them does', () => {
    expect(regions([region('/a', []), region('/b', [ref('2', '/b')])]).exists()).toBe(true)
    expect(regions([region('/a', [])]).exists()).toBe(false)
    expect(regions([]).exists()).toBe(false)
  })

  it('reads a session that another run of the program found, and says which one is in no region', async () => {
    const source = regions([region('/a', [ref('1', '/a')])])
    expect((await source.read(ref('1', '/a'), undefined, () => {})).facts.title).toBe('/a')
    await expect(source.read(ref('9', '/z'), undefined, () => {})).rejects.toMatchObject({ code: 'session_unreadable' })
  })
})
