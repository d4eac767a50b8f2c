import { describe, expect, it } from 'vitest'
import type { History } from '../../src/keel/server/app.ts'
import { historyPage } from '../../src/keel/server/pages/pages.ts'
import { appState, PROPOSAL } from './states.ts'

const DAYS = [{ day: '2026-06-28', proposed: 3, confirmed: 1, dismissed: 1 }]

describe('The list of the history', () => {
  const entry = (id: string, at: Date, outcome: History['entries'][number]['outcome'] = 'unactioned') => ({
    id,
    at: at.toISOString(),
    nextAction: `Thing ${id}`,
    rationale: '',
    outcome,
  })
  const today = (minute: number): Date => new Date(new Date().setHours(12, minute, 0, 0))

  it('says that there is nothing, rather than to draw it', () => {
    const page = historyPage({ entries: [], days: DAYS, isCut: false }, appState())
    expect(page).toContain('Nothing was proposed in this time.')
    expect(page).not.toContain('<svg class="chart')
  })

  it('stands under the days, newest first', () => {
    const old = new Date(2020, 5, 3, 10)
    const page = historyPage(
      { entries: [entry('a', today(5)), entry('b', today(1)), entry('c', old)], days: DAYS, isCut: false },
      appState(),
    )
    expect([...page.matchAll(/<h3>(.*?)<\/h3>|class="what"><span dir="auto">Thing (\w)/g)].map(([, day, thing]) => day ?? thing)).toEqual([
      'Today',
      'a',
      'b',
      'Wednesday, 3 June 2020',
      'c',
    ])
  })

  it('puts away what is beyond the first of a day with much, and loses none of it', () => {
    const of = (count: number): string =>
      historyPage(
        { entries: Array.from({ length: count }, (_, index) => entry(`${index}`, today(index % 60))), days: DAYS, isCut: false },
        appState(),
      )
    expect(of(10)).not.toContain('more of that day')
    expect(of(20)).toContain('<summary>12 more of that day</summary>')
    expect(of(20).match(/<li><p class="what">/g)).toHaveLength(20)
  })

  it('tells what may have been added from what was left open, in the list and in the sums', () => {
    const page = historyPage({ entries: [entry('a', today(1), 'unknown')], days: DAYS, isCut: false }, appState())
    expect(page).toContain('<span class="outcome unknown">Perhaps added</span>')
    expect(page).toMatch(/Left open<\/dt><dd>0<\/dd>.*Perhaps added<\/dt><dd>1<\/dd>/)
    expect(historyPage({ entries: [entry('a', today(1))], days: DAYS, isCut: false }, appState())).not.toContain('Perhaps added')
  })

  it('does not call left open what is on the first page, and says whether it sleeps', () => {
    const entries = [entry(PROPOSAL.id, today(2)), entry('b', today(1))]
    const page = (more: object): string =>
      historyPage(
        { entries, days: [{ ...DAYS[0]!, proposed: 2, confirmed: 0, dismissed: 0 }], isCut: false },
        appState({ status: 'proposed', proposal: PROPOSAL, ...more }),
      )
    expect(page({})).toContain('<span class="outcome now">Proposed now</span>')
    expect(page({ snoozedUntil: today(30).toISOString() })).toContain('<span class="outcome asleep">Snoozed</span>')
    expect(page({}).match(/class="outcome unactioned"/g)).toHaveLength(1)
    expect(page({})).toMatch(/Left open<\/dt><dd>1<\/dd>/)
    expect(historyPage({ entries, days: DAYS, isCut: false }, appState())).not.toContain('Proposed now')
  })

  it('keeps what was put aside behind a line of its own', () => {
    const entries = [entry('a', today(3), 'put_aside'), entry('b', today(2)), entry('c', today(1), 'put_aside')]
    const page = historyPage({ entries, days: DAYS, isCut: false }, appState())
    expect(page).toMatch(/Thing b.*<summary>2 put aside for another one<\/summary>.*Thing a.*Thing c/s)
    expect(page).toContain('<span class="outcome put_aside">Put aside</span>')
  })

  it('says that words are the user’s own, and what was proposed, in place of the reason for that', () => {
    const own = { ...entry('a', today(1)), nextAction: 'Brush the dog', original: 'Read a poem', rationale: 'You like poems.' }
    const page = historyPage({ entries: [own], days: DAYS, isCut: false }, appState())
    expect(page).toContain('In your own words. What was proposed: <q dir="auto">Read a poem</q>')
    expect(page).not.toContain('You like poems.')
  })

  it('shows the newest of very many, and says so', () => {
    const of = (count: number): string =>
      historyPage(
        {
          entries: Array.from({ length: count }, (_, index) => entry(`${index}`, new Date(2026, 5, 28, 12, 0, -index))),
          days: DAYS,
          isCut: false,
        },
        appState(),
      )
    const page = of(5_000)
    expect(page.match(/<li><p class="what">/g)).toHaveLength(500)
    expect(page).toContain('The newest 500 of 5000.')
    expect(page).toContain('Thing 499<')
    expect(page).not.toContain('Thing 500<')
    expect(of(500)).not.toContain('The newest')
  })
})
