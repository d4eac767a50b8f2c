import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { History, SettingView } from '../../src/keel/server/app.ts'
import { briefPage, errorPage, historyPage, mainPage, notFoundPage, settingsPage, tokenPage } from '../../src/keel/server/pages/pages.ts'
import { appState, PROPOSAL } from './states.ts'

const SETTINGS: readonly SettingView[] = [
  { key: 'ai_backend', label: 'Proposals from', value: 'builtin', source: 'file', choices: ['builtin', 'claude'], help: 'Who proposes.' },
  { key: 'ai_key', label: 'Key', value: '', source: 'default', locked: 'A key is never set here.', help: 'A key.' },
  { key: 'knowledge_path', label: 'Goals', value: '~/goals.md', source: 'file', help: 'A file.' },
  {
    key: 'todo_txt',
    label: 'todo.txt',
    value: '/home/user/todo.txt',
    source: 'environment',
    locked: 'The environment sets it.',
    help: 'A file.',
  },
  { key: 'brand_new', label: 'Brand new', value: 'x', source: 'default', help: 'Nobody sorted it yet.' },
]

const DAYS = Array.from({ length: 28 }, (_, index) => ({
  day: `2026-06-${String(index + 1).padStart(2, '0')}`,
  proposed: index === 27 ? 3 : 0,
  confirmed: index === 27 ? 1 : 0,
  dismissed: index === 27 ? 1 : 0,
}))

function history(text: string): History {
  const entry = { id: 'a', at: '2026-06-28T10:00:00.000Z', nextAction: text, rationale: text } as const
  return {
    entries: [
      { ...entry, outcome: 'confirmed', outcomeAt: '2026-06-28T10:02:00.000Z' },
      { ...entry, outcome: 'dismissed', outcomeAt: '2026-06-28T10:03:00.000Z', reason: text },
      { ...entry, outcome: 'unactioned' },
      { ...entry, original: text, outcome: 'put_aside' },
    ],
    days: DAYS,
    isCut: true,
  }
}

/** Every page, with a text in every place that holds one from outside. */
function pagesWith(text: string): string[] {
  const notice = { message: text, hint: text, key: 'knowledge_path' }
  const state = appState(
    { status: 'proposed', proposal: { ...PROPOSAL, id: text, nextAction: text, original: text, rationale: text, by: text }, error: notice },
    { ai: text, tasks: text, memory: { ...appState().memory, where: 'embedded', reason: text } },
  )
  return [
    mainPage(state),
    mainPage(state, notice),
    historyPage(history(text), state),
    historyPage(history(text), state, { error: notice }),
    historyPage(history(text), state, { isForgotten: true }),
    settingsPage(
      SETTINGS.map((row) => ({ ...row, value: text, label: text, help: text, note: text })),
      state,
      { error: notice, typed: new Map([['ai_backend', text]]) },
    ),
    settingsPage(SETTINGS, state, { error: { message: text, hint: text } }),
    briefPage({ text, at: '2026-06-28T10:00:00.000Z', to: text, prompts: [] }, state),
    briefPage(
      { text, at: '2026-06-28T10:00:00.000Z', to: text, destination: { name: text, kind: 'program' }, prompts: [text, text] },
      state,
    ),
    briefPage({ text, at: '2026-06-28T10:00:00.000Z', to: text, destination: { name: text, kind: 'here' }, prompts: [] }, state),
    briefPage(undefined, state),
    errorPage(notice),
    tokenPage(notice, `/${text}`),
    notFoundPage(),
  ]
}

/** Names of the elements and attributes of a document, in order: its shape without its texts. */
function shape(page: string): string[] {
  return [...page.matchAll(/<\/?([a-z][a-z0-9]*)((?:\s+[a-zA-Z-]+(?:="[^"]*")?)*)\s*>/g)].map(
    ([, name, attributes = '']) =>
      `${name} ${[...attributes.matchAll(/\s([a-zA-Z-]+)(?:="[^"]*")?/g)].map(([, attribute]) => attribute).join(' ')}`,
  )
}

describe('The pages', () => {
  it('have the same shape whatever the texts are: what comes from outside never becomes markup', () => {
    const plain = pagesWith('plain').map(shape)
    const hostile = fc.string({
      minLength: 1,
      unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '=', ' ', 'script', 'onload', '-->', 'x'),
    })
    fc.assert(
      fc.property(hostile, (text) => {
        expect(pagesWith(`x${text}`).map(shape)).toEqual(plain)
      }),
      { numRuns: 60 },
    )
  })

  it('hold nothing that the content security policy forbids: no style, no script and no handler within, nothing from elsewhere', () => {
    for (const page of pagesWith('plain')) {
      expect(page).not.toMatch(/\sstyle=|<style|\son[a-z]+=|javascript:/i)
      expect(page.match(/<script[^>]*>/g)).toEqual(['<script type="module" src="/assets/keel.js">'])
      for (const [, address] of page.matchAll(/(?:src|href|action)="([^"]*)"/g)) expect(address).toMatch(/^(\/(?!\/)|#)/)
    }
  })

  it('say in which language they are, and have one main heading and every id once', () => {
    for (const page of pagesWith('plain')) {
      expect(page).toContain('<html lang="en">')
      expect(page.match(/<h1/g)).toHaveLength(1)
      const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
      expect(new Set(ids).size).toBe(ids.length)
    }
  })

  it('load themselves anew without a script only while something is looked for', () => {
    expect(mainPage(appState({ busy: 'proposing' }))).toContain('<noscript><meta http-equiv="refresh"')
    expect(mainPage(appState({ status: 'proposed', proposal: PROPOSAL }))).not.toContain('http-equiv')
  })

  it('send the id of the proposal with every command that is about one', () => {
    const page = mainPage(appState({ status: 'proposed', proposal: PROPOSAL }))
    const forms = page.match(/<form.*?<\/form>/gs)!.filter((form) => !/value="(start|cancel)"/.test(form))
    expect(forms).toHaveLength(7)
    for (const form of forms) expect(form).toContain(`name="proposal_id" value="${PROPOSAL.id}"`)
  })

  it('have no field for a setting that is not changed here, and show every setting', () => {
    const page = settingsPage(SETTINGS, appState())
    expect([...page.matchAll(/<(?:input|select) id[^>]*name="([^"]*)"/g)].map(([, name]) => name)).toEqual([
      'ai_backend',
      'knowledge_path',
      'brand_new',
    ])
    for (const { label } of SETTINGS) expect(page).toContain(label)
    expect(page).toContain('/home/user/todo.txt')
  })

  it('mark the field that was refused, and none other', () => {
    const page = settingsPage(SETTINGS, appState(), { error: { message: 'No.', key: 'knowledge_path' } })
    expect(page.match(/aria-invalid/g)).toHaveLength(1)
    expect(page).toMatch(
      /name="knowledge_path"[^>]*aria-describedby="setting-knowledge_path-help setting-knowledge_path-means setting-knowledge_path-wrong"[^>]*aria-invalid="true"/,
    )
  })

  it('offer a value that is no choice, rather than another one in its place', () => {
    const page = settingsPage([{ ...SETTINGS[0]!, value: 'mine' }], appState())
    expect(page).toContain('<option value="mine" selected>')
  })
})

describe('The picture of the days', () => {
  const page = historyPage(history('Walk'), appState())

  it('says its numbers in a sentence, and stacks what was confirmed, dismissed and left open to what was proposed', () => {
    expect(page).toContain('The last 7 days: 3 proposed, 1 confirmed, 1 dismissed.')
    const [picture] = /<svg class="chart wide-screen".*?<\/svg>/s.exec(page)!
    const blocks = [...picture.matchAll(/<rect class="(confirmed|dismissed|open)"[^>]* y="([\d.]+)"[^>]* height="([\d.]+)"/g)]
    expect(blocks.map(([, kind]) => kind)).toEqual(['confirmed', 'dismissed', 'open'])
    const edges = blocks.map(([, , y, height]) => [Number(y), Number(y) + Number(height)] as const)
    expect(edges[1]![1]).toBeCloseTo(edges[0]![0], 0)
    expect(edges[2]![1]).toBeCloseTo(edges[1]![0], 0)
  })

  it('begins with the first day on which something was proposed, and shows a week at least', () => {
    const titled = (first: number): string | undefined => {
      const days = DAYS.map((day, index) => (index === first ? { ...day, proposed: 1 } : day))
      return /<title id="title-wide-screen">(The last \d+ days)/.exec(historyPage({ ...history('Walk'), days }, appState()))?.[1]
    }
    expect([0, 10, 21, 25].map(titled)).toEqual(['The last 28 days', 'The last 18 days', 'The last 7 days', 'The last 7 days'])
  })

  it('has the same in a table, without the days on which nothing was', () => {
    const rows = /<tbody>(.*?)<\/tbody>/s.exec(page)![1]!.match(/<tr>.*?<\/tr>/gs)!
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatch(/<td>3<\/td><td>1<\/td><td>1<\/td>/)
  })

  it('has lines at numbers that are read at a glance, at most four of them above the floor', () => {
    for (const [most, numbers] of [
      [1, [0, 1, 2]],
      [4, [0, 1, 2, 3, 4]],
      [14, [0, 5, 10, 15]],
      [36, [0, 10, 20, 30, 40]],
      [190, [0, 50, 100, 150, 200]],
      [2500, [0, 1000, 2000, 3000]],
    ] as const) {
      const drawn = historyPage({ ...history('Walk'), days: [{ ...DAYS[27]!, proposed: most }] }, appState())
      const [picture] = /<svg class="chart wide-screen".*?<\/svg>/s.exec(drawn)!
      expect([...picture.matchAll(/text-anchor="end">(\d+)</g)].map(([, number]) => Number(number))).toEqual(numbers)
    }
  })

  it('can be drawn of nothing, of one day and of a quarter', () => {
    for (const days of [[], DAYS.slice(0, 1), Array.from({ length: 91 }, () => DAYS[27]!)]) {
      const drawn = historyPage({ ...history('Walk'), days }, appState())
      expect(drawn).not.toMatch(/NaN|Infinity|undefined/)
    }
  })
})
