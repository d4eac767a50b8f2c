import { describe, expect, it, onTestFinished } from 'vitest'
import { readBrief } from '../../../src/keel/ai/backends/builtin/read-brief.ts'
import { awClient } from '../../../src/keel/aw/client.ts'
import { chooseWatchers, readAnswer } from '../../../src/keel/screen-time/query.ts'
import { duration, newScreenTime } from '../../../src/keel/screen-time/screen-time.ts'
import { testSystem } from '../ai/system.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'

const NOON = new Date(2026, 5, 5, 12, 0, 0)
const at = (hour: number, minute = 0) => new Date(2026, 5, 5, hour, minute)
const minutes = (from: Date, length: number, data: Record<string, unknown>) => ({ at: from, seconds: length * 60, data })
const never = new AbortController().signal

async function opened(personality: 'python' | 'rust' = 'python') {
  const server = await fakeAw({ personality })
  onTestFinished(() => server.stop())
  const lines: string[] = []
  const system = { ...testSystem(), now: () => NOON }
  let isAway = false
  const source = newScreenTime({
    aw: awClient({ url: server.url, system }),
    system,
    host: 'here',
    log: (line) => lines.push(line),
    isAway: () => isAway,
    limitMs: 1000,
  })
  return {
    server,
    lines,
    text: (signal: AbortSignal = never) => source.text(signal),
    goAway: () => {
      isAway = true
    },
  }
}

type Server = Awaited<ReturnType<typeof fakeAw>>

function watchToday(server: Server, host = 'here', suffix = ''): void {
  server.watch(`aw-watcher-window_${host}${suffix}`, 'currentwindow', host, [
    minutes(new Date(2026, 5, 4, 23, 30), 60, { app: 'Code', title: 'yesterday, and half an hour today' }),
    minutes(at(9), 65, { app: 'Code', title: 'secret.txt' }),
    minutes(at(10, 5), 30, { app: 'Firefox', title: 'bank' }),
    minutes(at(11), 0.3, { app: 'Brief', title: '' }),
  ])
  server.watch(`aw-watcher-afk_${host}${suffix}`, 'afkstatus', host, [
    minutes(new Date(2026, 5, 4, 23, 30), 60, { status: 'not-afk' }),
    minutes(at(8), 60, { status: 'afk' }),
    minutes(at(9), 95, { status: 'not-afk' }),
    minutes(at(11), 5, { status: 'afk' }),
  ])
}

describe.each(['python', 'rust'] as const)('screen time from the %s server', (personality) => {
  it('is what was used today while somebody was there, in whole minutes, the program alone', async () => {
    const { server, text, lines } = await opened(personality)
    watchToday(server)
    expect(await text()).toBe('2 h 5 min today\n- Code: 1 h 35 min\n- Firefox: 30 min')
    expect(lines).toEqual([])
  })

  it('is nothing without a watcher, and that is no failure', async () => {
    const { server, text, lines } = await opened(personality)
    expect(await text()).toBe('')
    server.watch('keel.events', 'keel.event', 'here', [])
    expect(await text()).toBe('')
    server.watch('aw-watcher-afk_here', 'afkstatus', 'here', [])
    server.watch('aw-watcher-window_here', 'currentwindow', 'here', [])
    expect(await text()).toBe('')
    expect(lines).toEqual([])
  })

  it('works with one watcher alone', async () => {
    const { server, text } = await opened(personality)
    server.watch('w', 'currentwindow', 'here', [minutes(at(9), 10, { app: 'Code' })])
    expect(await text()).toBe('10 min today\n- Code: 10 min')
    const other = await opened(personality)
    other.server.watch('a', 'afkstatus', 'here', [minutes(at(9), 20, { status: 'not-afk' })])
    expect(await other.text()).toBe('20 min today')
  })

  it('takes a bucket whose name is odd', async () => {
    const { server, text } = await opened(personality)
    server.watch('a "b" \\ c', 'afkstatus', 'here', [minutes(at(9), 20, { status: 'not-afk' })])
    expect(await text()).toBe('20 min today')
  })

  it('is nothing where the server fails, which is said once until it works again', async () => {
    const { server, text, lines } = await opened(personality)
    watchToday(server)
    server.trouble = () => 'html'
    expect(await text()).toBe('')
    expect(await text()).toBe('')
    expect(lines).toEqual([expect.stringMatching(/^screen time: cannot be read \(aw: list buckets: status 500\)$/)])
    server.trouble = undefined
    expect(await text()).not.toBe('')
    server.trouble = ({ path }) => (path.includes('query') ? 'error' : undefined)
    expect(await text()).toBe('')
    expect(lines).toHaveLength(2)
  })
})

describe('screen time', () => {
  it('begins as the built-in proposer reads it', async () => {
    const { server, text } = await opened()
    watchToday(server)
    expect(readBrief(`## Today's screen time\n${await text()}\n`).screenMinutes).toBe(125)
  })

  it('does not wait for a server that hangs, nor ask one that is known to be away', async () => {
    const { server, text, lines, goAway } = await opened()
    server.trouble = () => 'hang'
    expect(await text(AbortSignal.timeout(20))).toBe('')
    expect(lines).toEqual([])
    expect(await text()).toBe('')
    expect(lines).toEqual(['screen time: cannot be read (no answer within 1 s)'])
    const asked = server.requests.length
    goAway()
    expect(await text()).toBe('')
    expect(server.requests.length).toBe(asked)
  })

  it('shows the name of a program as one short line', async () => {
    const { server, text } = await opened()
    server.watch('w', 'currentwindow', 'here', [minutes(at(9), 10, { app: `a\n## goals\u202e${'x'.repeat(100)}` })])
    const lines = (await text()).split('\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^- a ## goals x{49}: 10 min$/)
  })

  describe('of a server that holds the buckets of several machines', () => {
    const bucket = (id: string, type: string, hostname: string, lastUpdated: number) => ({ id, type, hostname, lastUpdated })
    const buckets = [
      bucket('w1', 'currentwindow', 'here', 1),
      bucket('w2', 'currentwindow', 'there', 9),
      bucket('a1', 'afkstatus', 'here', 1),
      bucket('old', 'afkstatus', 'here', 0),
      bucket('a3', 'afkstatus', 'elsewhere', 5),
      bucket('k', 'keel.event', 'here', 99),
    ]

    it("is that of this machine, whatever its name's domain and case", () => {
      for (const name of ['here', 'here.local', 'HERE.fritz.box'])
        expect(chooseWatchers(buckets, name)).toEqual({ window: 'w1', afk: 'a1' })
      expect(chooseWatchers([bucket('w', 'currentwindow', 'here.lan', 9), ...buckets], 'here')).toEqual({ window: 'w1', afk: 'a1' })
    })

    it("is never another machine's, unless there is no other and it may have been renamed", () => {
      expect(chooseWatchers(buckets, 'nowhere')).toBeUndefined()
      expect(chooseWatchers(buckets.slice(4), 'nowhere')).toEqual({ afk: 'a3' })
      expect(chooseWatchers([], 'here')).toBeUndefined()
    })
  })

  it.each([undefined, null, [], {}, { total: 1 }, { total: [], apps: 1 }])('takes %j for no answer', (answer) => {
    expect(readAnswer(answer)).toBeUndefined()
  })

  it('passes over what is no program, and shows five', () => {
    const apps = [null, {}, { data: null }, { data: { app: 1 } }, ...'abcdefg'].map((app, n) =>
      typeof app === 'string' ? { duration: n * 100, data: { app } } : app,
    )
    const found = readAnswer({ total: [{ duration: 60 }, { duration: '60' }, { duration: -5 }, null], apps })
    expect(found?.total).toBe(60)
    expect(found?.apps.map(({ name }) => name)).toEqual(['g', 'f', 'e', 'd', 'c'])
  })

  it.each([
    [0, '0 min'],
    [60, '1 min'],
    [3599.9, '1 h'],
    [3600.001, '1 h'],
    [7500, '2 h 5 min'],
    [86_400, '24 h'],
  ])('writes %d seconds as %s', (seconds, text) => {
    expect(duration(seconds)).toBe(text)
  })
})
