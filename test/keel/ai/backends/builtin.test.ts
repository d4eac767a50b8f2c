import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_ACTIONS, GOAL_ACTIONS, LONG_SCREEN_TIME } from '../../../../src/keel/ai/backends/builtin/actions.ts'
import { isOffScreen } from '../../../../src/keel/ai/backends/builtin/off-screen.ts'
import { builtinProposer } from '../../../../src/keel/ai/backends/builtin/proposer.ts'
import { readBrief } from '../../../../src/keel/ai/backends/builtin/read-brief.ts'
import { isSameAction } from '../../../../src/keel/ai/same-action.ts'

const { signal } = new AbortController()
/** A Friday, ten past three in the afternoon where the person is. */
const AFTERNOON = new Date(2026, 5, 5, 15, 10)

const propose = (brief: string, exclude: readonly string[] = [], now = AFTERNOON) =>
  builtinProposer(() => now).propose(brief, { exclude, signal })

const tasks = (...lines: string[]) => `## Tasks\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n`
const recent = (...lines: string[]) => `## Recently proposed\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n`

describe('the built-in proposer', () => {
  it('puts a due task that needs no screen first, the oldest of them', async () => {
    const brief = tasks(
      'Deploy the app (due 2026-06-01)',
      'Call mum (due 2026-06-05)',
      'Return the library books (due 2026-06-03, project Home)',
      'Water the plants',
    )
    expect(await propose(brief)).toEqual({
      nextAction: 'Return the library books',
      rationale: 'It was due on 2026-06-03, and you need no screen for it.',
    })
    expect(await propose(brief, ['return the library books!'])).toMatchObject({
      nextAction: 'Call mum',
      rationale: expect.stringContaining('due today'),
    })
  })

  it('takes a small task that needs no screen where none of them is due', async () => {
    const brief = tasks(
      'Fix the login bug',
      'Buy milk and bread (due 2026-06-09)',
      'Tidy the whole attic and sort all that is in it by the year it came from',
    )
    expect(await propose(brief)).toMatchObject({ nextAction: 'Buy milk and bread', rationale: expect.stringContaining('small') })
  })

  it('answers a goal where no task fits', async () => {
    const goals = '## Goals\n\nI want to play more guitar. Being fit would be nice.\n'
    const first = await propose(tasks('Fix the login bug') + goals)
    expect(GOAL_ACTIONS.find(({ goal }) => goal === 'making music')!.actions).toContain(first.nextAction)
    expect(first.rationale).toBe('Your goals speak of making music, and this is a small step.')
    const second = await propose(goals, [first.nextAction])
    expect(second.rationale).toContain('moving more')
  })

  it('plans a due task at the screen on paper', async () => {
    expect(await propose(tasks('File the tax form online (due 2026-06-05)'))).toEqual({
      nextAction: 'Take pen and paper and plan the first steps of: File the tax form online',
      rationale: 'It is due today; away from the screen it is easier to see what comes first.',
    })
  })

  it('sends away from the screen after a long time there, unless something is due', async () => {
    const screen = '## Screen time\n\nToday: 5 h 20 min, most of it in Code (3 h 2 min).\n'
    const small = await propose(tasks('Buy milk') + screen)
    expect(LONG_SCREEN_TIME).toContain(small.nextAction)
    expect(small.rationale).toBe('You were at the screen for more than 5 hours today.')
    expect(await propose(tasks('Buy milk (due 2026-06-05)') + screen)).toMatchObject({ nextAction: 'Buy milk' })
  })

  it.each([
    [2, 'It is late'],
    [7, 'The day begins'],
    [12, 'It is around noon'],
    [19, 'The evening is yours'],
    [23, 'The day ends'],
  ])('knows the time of day: at %i it says "%s"', async (hour, part) => {
    const { nextAction, rationale } = await propose('', [], new Date(2026, 5, 5, hour))
    expect(rationale).toContain(part)
    expect(DAY_ACTIONS.find((entry) => entry.part === part)!.actions).toContain(nextAction)
  })

  it('calls nobody at night, whatever is due', async () => {
    const list = tasks('Call mum (due 2026-06-05)')
    expect(await propose(list, [], new Date(2026, 5, 5, 22))).toMatchObject({ rationale: expect.stringContaining('The day ends') })
    expect(await propose(list, [], new Date(2026, 5, 6, 4, 59))).toMatchObject({ rationale: expect.stringContaining('It is late') })
    expect(await propose(list, [], new Date(2026, 5, 6, 5))).toMatchObject({ nextAction: 'Call mum' })
  })

  it('calls nobody at night either when everything else was declined', async () => {
    const brief = `${tasks('Call mum (due 2026-06-05)', 'Return the library books (due 2026-06-05)')}## Goals\n- See friends and family\n`
    const night = new Date(2026, 5, 5, 23)
    const seen: string[] = []
    for (let round = 0; round < 12; round++) seen.push((await propose(brief, seen, night)).nextAction)
    expect(seen.filter((action) => /^(?:call|return|ask)\b/i.test(action))).toEqual([])
  })

  it('does not repeat what was confirmed, dismissed or put aside, and takes up what was left alone when nothing is new', async () => {
    const list = tasks('Call mum', 'Water the plants', 'Wash the car', 'Buy milk')
    const history = recent(
      '"Call mum" (confirmed, 2h ago)',
      '"Water the plants" (unactioned, 1d ago)',
      '"Walk \\"far\\"" (dismissed, 3d ago)',
      '"Wash the car" (put aside, 1h ago, in place of "Wash up")',
    )
    expect(await propose(list + history)).toMatchObject({ nextAction: 'Buy milk' })
    const others = [...DAY_ACTIONS.flatMap(({ actions }) => actions), ...LONG_SCREEN_TIME, 'Buy milk']
    expect(await propose(list + history, others)).toMatchObject({ nextAction: 'Water the plants' })
  })

  it('proposes something also where everything was proposed and excluded', async () => {
    const everything = [...DAY_ACTIONS.flatMap(({ actions }) => actions), ...LONG_SCREEN_TIME]
    expect((await propose('', everything)).nextAction).not.toBe('')
  })

  it('is the same twice, and another one a day later', async () => {
    expect(await propose('')).toEqual(await propose(''))
    expect(await propose('', [], new Date(2026, 5, 6, 15))).not.toEqual(await propose(''))
  })

  it('gives something else each time it is asked for another, for a while', async () => {
    const seen: string[] = []
    for (let count = 0; count < 6; count++) {
      const { nextAction } = await propose('## Goals\nMore sport and more books.', seen)
      expect(seen.some((action) => isSameAction(action, nextAction))).toBe(false)
      seen.push(nextAction)
    }
  })

  it('ends where it is cancelled', async () => {
    const proposal = builtinProposer(() => AFTERNOON).propose('', { signal: AbortSignal.abort(new Error('dismissed')) })
    await expect(proposal).rejects.toThrow('dismissed')
  })

  it('never fails, whatever the brief says, and keeps to what a proposal may be', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.constantFrom(
        '## Tasks',
        '## Recently proposed',
        '## Goals',
        '## Screen time',
        '- Call mum (due 2026-06-05)',
        '- "x\\q" (dismissed, ',
        '- 99 h 99 min',
      ),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => `- Call ${text}`),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        fc.array(fc.string(), { maxLength: 4 }),
        fc.integer({ min: 0, max: 23 }),
        async (lines, exclude, hour) => {
          const { nextAction, rationale } = await propose(lines.join('\n'), exclude, new Date(2026, 5, 5, hour))
          expect([...nextAction].length).toBeGreaterThan(0)
          expect([...nextAction].length).toBeLessThanOrEqual(200)
          expect([...rationale].length).toBeLessThanOrEqual(500)
          expect(nextAction + rationale).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('a task', () => {
  it.each(['Call mum', 'to buy bread', 'Go and pick up the parcel', 'water plants', 'Write a letter to Ana', 'Replace the bulb'])(
    'needs no screen: %s',
    (title) => {
      expect(isOffScreen(title)).toBe(true)
    },
  )

  it.each([
    'Call the API from the script',
    'Buy a domain online',
    'Review the PR',
    'Email Ana',
    'Clean up the database',
    'Think',
    'Get the laptop repaired',
    '',
  ])('is not known to need none: %s', (title) => {
    expect(isOffScreen(title)).toBe(false)
  })
})

describe('two actions', () => {
  it.each([
    ['Call mum', 'call Mum!', true],
    ['Go for a walk', 'Go for a walk in the park', true],
    ['Call mum', 'Call dad', false],
    ['Walk', 'Prepare the vegetables for your next meal, then walk and tidy up', false],
    ['', '', true],
    ['', 'Call mum', false],
    ['電話', '電話', true],
  ])('%j and %j are the same: %s', (a, b, same) => {
    expect(isSameAction(a, b)).toBe(same)
    expect(isSameAction(b, a)).toBe(same)
  })
})

describe('a brief', () => {
  it('is read by its sections', () => {
    const brief = `${tasks('Call mum (due 2026-06-05)', 'Buy (good) bread', '"Quoted" thing [project X]')}${recent('"a \\"b\\"" (confirmed, just now)', 'nonsense')}## Goals\n\n### Health\nrun\n\n## What memU knows\n\n- reads a lot\n\n## Screen time today\n\n95 min`
    expect(readBrief(brief)).toEqual({
      tasks: [{ title: 'Call mum', due: '2026-06-05' }, { title: 'Buy (good) bread' }, { title: '"Quoted" thing' }],
      recent: [{ action: 'a "b"', outcome: 'confirmed' }],
      goals: '\n\n### Health\nrun\n\n\n\n\n- reads a lot\n\n',
      screenMinutes: 95,
    })
  })

  it.each([
    ['2 h 5 min', 125],
    ['Total: 3h', 180],
    ['1h30m', 90],
    ['45 minutes', 45],
    ['nothing with an h', 0],
    ['', 0],
  ])('may say the time at the screen as %j', (text, minutes) => {
    expect(readBrief(`## Screen time\n${text}`).screenMinutes).toBe(minutes)
  })
})
