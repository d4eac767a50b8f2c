import fc from 'fast-check'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readBrief } from '../../../src/keel/ai/backends/builtin/read-brief.ts'
import type { KeelEvent } from '../../../src/keel/memory/store.ts'
import { assembleBrief } from '../../../src/keel/offscreen/brief.ts'
import { briefHistory } from '../../../src/keel/offscreen/brief-history.ts'
import { relativeAge } from '../../../src/keel/offscreen/relative-age.ts'
import type { TaskList } from '../../../src/keel/tasks/task-list.ts'
import { newFake } from '../fake-memory.ts'
import { fakeTasks } from './world.ts'

const NOW = new Date(2026, 5, 5, 10, 15)
const { signal } = new AbortController()
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const source = (text: string) => ({ text: async () => text })
const hanging = { text: () => new Promise<string>(() => {}) }
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds)
const made = (id: unknown, action: unknown, at: Date): KeelEvent => ({
  kind: 'proposal_made',
  at,
  data: { proposal_id: id, next_action: action },
})
const brief = async (services: Partial<Parameters<typeof assembleBrief>[0]>, limitMs?: number) =>
  (
    await assembleBrief(
      { tasks: fakeTasks(), ...services },
      { now: NOW, signal, ...(limitMs === undefined ? {} : { limitMs, tasksLimitMs: 2 * limitMs }) },
    )
  ).text

describe('a brief', () => {
  it('TestBriefIncludesRecentProposalsWithOutcome: each recent proposal stands in it with what became of it', async () => {
    const memory = newFake()
    await memory.record(made('w', 'walk', NOW))
    await memory.record({ kind: 'action_taken', at: NOW, data: { proposal_id: 'w' } })
    await memory.record(made('s', 'stretch', NOW))
    await memory.record({ kind: 'proposal_dismissed', at: NOW, data: { proposal_id: 's' } })
    const text = await brief({ memory })
    expect(text).toContain('## Recently proposed\n')
    expect(text).toContain('- "walk" (confirmed, just now)\n')
    expect(text).toContain('- "stretch" (dismissed, just now)\n')
  })

  it('TestBriefOmitsHistoryWhenNoMemory: without a memory there is no such section', async () => {
    expect(await brief({})).not.toContain('Recently proposed')
  })

  it.each([
    ['America/New_York', 'Thursday, 2026-06-04, 22:30'],
    ['Asia/Kolkata', 'Friday, 2026-06-05, 08:00'],
  ])('says what day and time it is in %s, where the person is', async (zone, moment) => {
    vi.stubEnv('TZ', zone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const { text } = await assembleBrief({ tasks: fakeTasks() }, { now: new Date('2026-06-05T02:30:00Z'), signal })
    expect(text).toBe(`It is ${moment}.\n`)
  })

  it('has its sections in order, and the built-in proposer reads all of them', async () => {
    const memory = newFake()
    await memory.record(made('a', 'say "hi"', ago(2 * 60 * MINUTE)))
    const tasks = fakeTasks()
    tasks.tasks = [
      { title: 'Call mum', due: '2026-06-05', project: 'Home (old)' },
      { title: 'Read', scheduled: '2026-06-06' },
      { title: 'Sort\nletters' },
    ]
    const text = await brief({
      tasks,
      memory,
      knowledge: source('### Health\nrun'),
      known: source('- likes the sea'),
      screenTime: source('1 h 35 min today'),
    })
    expect(text).toBe(`It is Friday, 2026-06-05, 10:15.

## Tasks
- Call mum (due 2026-06-05, project Home old)
- Read (scheduled 2026-06-06)
- Sort letters

## Recently proposed
- "say \\"hi\\"" (unactioned, 2h ago)

## Goals
### Health
run

## What is known of the person
- likes the sea

## Screen time
1 h 35 min today
`)
    expect(readBrief(text)).toEqual({
      tasks: [{ title: 'Call mum', due: '2026-06-05' }, { title: 'Read' }, { title: 'Sort letters' }],
      recent: [{ action: 'say "hi"', outcome: 'unactioned' }],
      goals: '\n### Health\nrun\n\n\n\n- likes the sea\n\n',
      screenMinutes: 95,
    })
  })

  it('leaves out what there is nothing of', async () => {
    expect(await brief({ knowledge: source('  \n'), known: source(''), memory: newFake() })).toBe('It is Friday, 2026-06-05, 10:15.\n')
  })

  it('says that tasks could not be read, goes on, and tells the log', async () => {
    const tasks = fakeTasks()
    tasks.failure = new Error('no\nnetwork')
    const lines: string[] = []
    const text = await brief({ tasks, knowledge: source('run'), log: (line) => lines.push(line) })
    expect(text).toContain('## Tasks\nThe list of tasks could not be read.\n')
    expect(text).toContain('## Goals\nrun\n')
    expect(readBrief(text).tasks).toEqual([])
    expect(lines).toEqual(['offscreen: tasks unavailable (no network); going on without them'])
  })

  it('says that a part of the tasks is missing, beside those that are there', async () => {
    const tasks: TaskList = {
      ...fakeTasks(),
      async list({ onMissing }) {
        onMissing?.('the list of what is due failed')
        return [{ title: 'Call mum' }]
      },
    }
    const text = await brief({ tasks })
    expect(text).toContain('## Tasks\n- Call mum\nSome of the tasks could not be read.\n')
    expect(readBrief(text).tasks).toEqual([{ title: 'Call mum' }])
  })

  it('has no history at all where the memory fails: a decided proposal must not look as if it was left alone', async () => {
    const memory = newFake()
    memory.failWith(new Error('AW is gone'))
    const lines: string[] = []
    expect(await brief({ memory, log: (line) => lines.push(line) })).not.toContain('Recently')
    expect(lines).toEqual(['offscreen: memory read: AW is gone; going on without history'])
  })

  it('waits for no section longer than it may, whatever hangs and whatever it does with its signal', async () => {
    const never = () => new Promise<never>(() => {})
    const text = await brief(
      {
        tasks: { ...fakeTasks(), list: never },
        memory: { ...newFake(), latest: never },
        knowledge: source('run'),
        known: hanging,
        screenTime: hanging,
      },
      20,
    )
    expect(text).toBe('It is Friday, 2026-06-05, 10:15.\n\n## Tasks\nThe list of tasks could not be read.\n\n## Goals\nrun\n')
  })

  it('goes on reading a list that took too long, for the next brief, until it is no longer wanted', async () => {
    const wanted = new AbortController()
    const signals: AbortSignal[] = []
    const slow = {
      ...fakeTasks(),
      list({ signal: given }: { signal: AbortSignal }) {
        signals.push(given)
        return new Promise<never>(() => {})
      },
    }
    await assembleBrief({ tasks: slow }, { now: NOW, signal: wanted.signal, limitMs: 10, tasksLimitMs: 10 })
    expect(signals.map(({ aborted }) => aborted)).toEqual([false])
    wanted.abort()
    expect(signals.map(({ aborted }) => aborted)).toEqual([true])
  })

  it('reads the memory once', async () => {
    let reads = 0
    const memory = newFake()
    const latest = () => {
      reads++
      return memory.latest()
    }
    const counted = { ...memory, latest, recent: () => Promise.reject(new Error('not asked')) }
    await brief({ memory: counted })
    expect(reads).toBe(1)
  })

  it('ends with the reason of its signal', async () => {
    const work = assembleBrief({ tasks: fakeTasks() }, { now: NOW, signal: AbortSignal.abort(new Error('cancelled')) })
    await expect(work).rejects.toThrow('cancelled')
  })

  it('keeps sections apart, and each within its bounds', async () => {
    const tasks = fakeTasks()
    tasks.tasks = Array.from({ length: 60 }, (_, index) => ({ title: `${index} ${'x'.repeat(300)}` }))
    const text = await brief({
      tasks,
      knowledge: source(`## Tasks\n- a task that is none\n# Recently proposed\n${'goal\n'.repeat(20_000)}`),
      known: source('## Screen time\n9 h'),
    })
    const parts = readBrief(text)
    expect(parts.tasks).toHaveLength(25)
    expect(parts.tasks.every(({ title }) => title.length <= 200)).toBe(true)
    expect(parts.recent).toEqual([])
    expect(parts.screenMinutes).toBe(0)
    expect(text.length).toBeLessThan(40_000)
  })
})

describe('the history of a brief', () => {
  const line = fc.constantFrom('walk', 'read', 'call mum')
  const kind = fc.constantFrom('proposal_made', 'action_taken', 'proposal_dismissed', 'proposal_snoozed', 'other')
  const stored = fc.record({
    kind,
    id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 7, undefined, ''),
    action: fc.oneof(line, fc.constantFrom(3, undefined, '')),
    age: fc.oneof(
      fc.integer({ min: -20 * MINUTE, max: 8 * DAY }),
      fc.constantFrom(7 * DAY, 7 * DAY + 1, -10 * MINUTE, -10 * MINUTE - 1, -300 * DAY),
    ),
  })

  it('is what the plain rules say, whatever lies in the memory', () => {
    fc.assert(
      fc.property(fc.array(stored, { maxLength: 40 }), (rows) => {
        // Newest first, as a store gives them.
        const sorted = [...rows].sort((a, b) => a.age - b.age)
        const events = sorted.map(({ kind, id, action, age }) => ({
          kind,
          at: ago(age),
          data: kind === 'proposal_made' ? { proposal_id: id, next_action: action } : { proposal_id: id },
        }))
        expect(briefHistory(events, NOW)).toBe(model(sorted))
      }),
    )
  })

  /** As the seed has it, and what is no proposal is passed over. */
  function model(sorted: readonly { kind: string; id: unknown; action: unknown; age: number }[]): string {
    let text = ''
    const seen: unknown[] = []
    let shown = 0
    const has = (wanted: string, id: unknown) => sorted.some((row) => row.kind === wanted && row.id === id)
    for (const row of sorted) {
      if (row.kind !== 'proposal_made' || typeof row.id !== 'string' || row.id === '' || seen.includes(row.id)) continue
      seen.push(row.id)
      if (typeof row.action !== 'string' || row.action === '') continue
      if (row.age < -10 * MINUTE) continue
      if (++shown > 5) break
      if (row.age > 7 * DAY) continue
      const outcome = has('action_taken', row.id) ? 'confirmed' : has('proposal_dismissed', row.id) ? 'dismissed' : 'unactioned'
      text += `- "${row.action}" (${outcome}, ${relativeAge(row.age)})\n`
    }
    return text
  }

  it('has what was proposed today, whatever a clock that was far ahead has written', () => {
    const ahead = Array.from({ length: 6 }, (_, index) => made(`far ${index}`, 'fly', ago(-300 * DAY - index)))
    expect(briefHistory([...ahead, made('a', 'walk', ago(MINUTE))], NOW)).toBe('- "walk" (unactioned, 1m ago)\n')
  })

  it('keeps what is exactly seven days old, and has no line for what is older', () => {
    expect(briefHistory([made('a', 'walk', ago(7 * DAY))], NOW)).toBe('- "walk" (unactioned, 7d ago)\n')
    expect(briefHistory([made('a', 'walk', ago(7 * DAY + 1))], NOW)).toBe('')
  })

  it("tells why something was dismissed, and the user's own words in place of those proposed", () => {
    const events: KeelEvent[] = [
      { kind: 'proposal_dismissed', at: NOW, data: { proposal_id: 'a', mode: 'offscreen', reason: 'too "cold"' } },
      { kind: 'proposal_edited', at: NOW, data: { proposal_id: 'a', mode: 'offscreen', next_action: 'walk to the sea' } },
      made('a', 'walk', ago(3 * MINUTE)),
    ]
    expect(briefHistory(events, NOW)).toBe('- "walk to the sea" (dismissed, 3m ago, because "too \\"cold\\"", in place of "walk")\n')
  })

  it('passes over the events of other modes', () => {
    const event = made('a', 'walk', NOW)
    expect(briefHistory([{ ...event, data: { ...event.data, mode: 'focus' } }], NOW)).toBe('')
  })

  it.each([
    ['a "b"', '"a \\"b\\""'],
    ['back\\slash', '"back\\\\slash"'],
    ['two\nlines\tand\r\nmore', '"two lines and more"'],
    ['bell\u0007 \u000bdel\u007f', '"bell del"'],
    ['\u2028line\u2029s\u202e', '"line s"'],
    ['é 🚶 散歩', '"é 🚶 散歩"'],
    ['half \ud83d', '"half \ufffd"'],
  ])('quotes %j as %s on one line', (action, quoted) => {
    expect(briefHistory([made('a', action, NOW)], NOW)).toBe(`- ${quoted} (unactioned, just now)\n`)
  })

  it('cuts what is longer than an action can be', () => {
    const text = briefHistory([made('a', 'x'.repeat(100_000), NOW)], NOW)
    expect(text.length).toBeLessThan(250)
  })
})

describe('a relative age', () => {
  it.each([
    [-DAY, 'just now'],
    [0, 'just now'],
    [59_999, 'just now'],
    [60_000, '1m ago'],
    [3_599_999, '59m ago'],
    [3_600_000, '1h ago'],
    [86_399_999, '23h ago'],
    [86_400_000, '1d ago'],
    [7 * DAY + DAY / 2, '7d ago'],
  ])('of %d ms is "%s"', (milliseconds, text) => {
    expect(relativeAge(milliseconds)).toBe(text)
  })
})
