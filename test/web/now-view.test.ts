import { describe, expect, it } from 'vitest'
import { type NowView, nowView } from '../../src/keel/server/pages/now-view.ts'
import { appState, PROPOSAL } from './states.ts'

const NOW = new Date('2026-06-05T10:05:00Z')
const ASLEEP = { status: 'proposed', proposal: PROPOSAL, snoozedUntil: '2026-06-05T10:30:00.000Z' } as const

function view(...state: Parameters<typeof appState>): NowView {
  return nowView(appState(...state), NOW)
}

describe('The first page', () => {
  it('offers to propose while there is nothing', () => {
    const { phase, parts, texts, proposalId } = view()
    expect(phase).toBe('idle')
    expect([...parts].sort()).toEqual(['rationale', 'start'])
    expect(texts.start).toBe('Propose something')
    expect(proposalId).toBe('')
  })

  it('only lets the search be cancelled while something is looked for, and names who is asked', () => {
    const { phase, parts, texts } = view({ busy: 'proposing' }, { ai: 'claude' })
    expect(phase).toBe('proposing')
    expect(parts.has('cancel')).toBe(true)
    expect(parts.has('start')).toBe(false)
    expect(parts.has('decide')).toBe(false)
    expect(texts.rationale).toBe('Asking Claude Code.')
    expect(view({ busy: 'proposing' }).parts.has('rationale')).toBe(false)
  })

  it('lets a proposal be decided and changed, and nothing be started beside it', () => {
    const { phase, parts, texts, title, proposalId, action } = view({ status: 'proposed', proposal: PROPOSAL })
    expect(phase).toBe('proposed')
    expect([...parts].sort()).toEqual(['by', 'decide', 'foot', 'rationale'])
    expect(texts.by).toBe('Built-in rules')
    expect(texts.heading).toBe(PROPOSAL.nextAction)
    expect(title).toBe('Proposed: Walk to the river – Keel')
    expect(proposalId).toBe(PROPOSAL.id)
    expect(action).toBe(PROPOSAL.nextAction)
  })

  it('says of a proposal that it repeats, and nothing of its maker where that is not known', () => {
    const { parts, texts } = view({ status: 'proposed', proposal: { ...PROPOSAL, by: '', repeats: 'confirmed' } })
    expect(parts.has('repeats')).toBe(true)
    expect(texts.repeats).toBe('You confirmed much the same within the last day.')
    expect(parts.has('by')).toBe(false)
  })

  it('says until when a proposal sleeps, and offers to wake it, and nothing more', () => {
    const { phase, texts, parts } = view(ASLEEP)
    expect(phase).toBe('asleep')
    const until = new Date(ASLEEP.snoozedUntil)
    const time = [until.getHours(), until.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
    expect(texts.kicker).toBe(`Snoozed until ${time}`)
    expect(texts.start).toBe('Wake it now')
    expect([...parts]).toEqual(['start'])
  })

  it('knows by the clock that a snooze is over, and says in the title that it is time where nobody has looked yet', () => {
    const after = new Date('2026-06-05T10:30:00Z')
    expect(nowView(appState(ASLEEP), after)).toMatchObject({ phase: 'proposed', title: 'Proposed: Walk to the river – Keel' })
    expect(nowView(appState(ASLEEP), after, { isDue: true }).title).toBe('It is time: Walk to the river – Keel')
    expect(nowView(appState(ASLEEP), NOW, { isDue: true }).title).toMatch(/^Snoozed until/)
  })

  it('says before it is confirmed what that does', () => {
    const open = { status: 'proposed', proposal: PROPOSAL } as const
    expect(view(open, { tasks: 'Taskwarrior' }).texts.adds).toBe('Confirming adds it to Taskwarrior.')
    expect(view(open, { tasks: 'none' }).texts.adds).toBe('Confirming adds nothing: no task list is set up.')
    expect(view({ status: 'done', outcome: 'confirmed', proposal: PROPOSAL }).parts.has('foot')).toBe(false)
  })

  it('gives the reason of what was proposed to no words of the user’s own', () => {
    const own = { ...PROPOSAL, nextAction: 'Brush the dog', original: 'Walk to the river' }
    expect(view({ status: 'proposed', proposal: own }).texts.rationale).toBe('In your own words. What was proposed: “Walk to the river”')
    expect(view({ status: 'proposed', proposal: PROPOSAL }).texts.rationale).toBe(PROPOSAL.rationale)
  })

  it('keeps the buttons where they are while a task is being added', () => {
    const { phase, parts } = view({ status: 'proposed', busy: 'confirming', proposal: PROPOSAL })
    expect(phase).toBe('confirming')
    expect(parts.has('decide')).toBe(true)
  })

  it('says where a confirmed proposal is now, and that nothing was added where there are no tasks', () => {
    const done = { status: 'done', outcome: 'confirmed', proposal: PROPOSAL } as const
    expect(view(done).texts.rationale).toContain('todo.txt')
    expect(view(done, { tasks: 'none' }).texts.rationale).toContain('it is on no list')
    expect(view(done).parts.has('decide')).toBe(false)
    expect(view({ ...done, outcome: 'dismissed' }).phase).toBe('dismissed')
  })

  it('says that a task is on the list already, rather than that it was added', () => {
    const { texts } = view({ status: 'done', outcome: 'confirmed', existing: true, proposal: PROPOSAL })
    expect(texts.rationale).toBe('It is on your list already. The screen can wait.')
  })

  it('asks why after a dismissal, and not again once that was said', () => {
    const dismissed = { status: 'done', outcome: 'dismissed', proposal: PROPOSAL } as const
    expect(view(dismissed).parts.has('why')).toBe(true)
    const said = view({ ...dismissed, reason: 'too tired' })
    expect(said.parts.has('why')).toBe(false)
    expect(said.texts.rationale).toBe('Because: “too tired”. It will not come straight back.')
  })

  it('lets a dismissal be undone, and nothing else', () => {
    expect(view({ status: 'done', outcome: 'dismissed', proposal: PROPOSAL }).parts.has('undo')).toBe(true)
    for (const state of [
      { status: 'pending' },
      { status: 'proposed', proposal: PROPOSAL },
      { status: 'done', outcome: 'confirmed' },
    ] as const)
      expect(view(state).parts.has('undo')).toBe(false)
  })

  it('warns of a task that may have been added, and makes the button say that it may be a second time', () => {
    const error = { message: 'It may have been added.', hint: 'Look for it first.', code: 'task_create_unknown' }
    const warned = view({ status: 'proposed', proposal: PROPOSAL, error })
    expect(warned.tone).toBe('warning')
    expect(warned.again).toBe('true')
    expect(warned.texts).toMatchObject({
      kicker: 'Perhaps added',
      confirm: 'Confirm all the same',
      adds: 'Confirming may add it to todo.txt a second time.',
      error: error.message,
    })
    const failed = view({ status: 'proposed', proposal: PROPOSAL, error: { ...error, code: 'task_create_failed' } })
    expect(failed.tone).toBe('failure')
    expect(failed.again).toBe('')
    expect(failed.texts).toMatchObject({ kicker: 'Proposed', confirm: 'Confirm' })
  })

  it('says what a command was refused for in place of what the state says, and what confirming may do all the same', () => {
    const error = { message: 'It may have been added.', code: 'task_create_unknown' }
    const state = appState({ status: 'proposed', proposal: PROPOSAL, error })
    const refused = nowView(state, NOW, { refused: { message: 'That one is gone.' } })
    expect(refused.texts).toMatchObject({ error: 'That one is gone.', hint: '', confirm: 'Confirm all the same' })
    expect(refused.tone).toBe('failure')
    // The answer to the command that failed says the same as the state does.
    expect(nowView(state, NOW, { refused: { message: error.message } }).tone).toBe('warning')
    expect(nowView(appState(), NOW, { refused: { message: 'No.' } }).parts.has('error')).toBe(true)
  })

  it('says what failed, with a proposal on the table and without', () => {
    const error = { message: 'The task could not be added.', hint: 'Look at todo.txt.' }
    const open = view({ status: 'proposed', proposal: PROPOSAL, error })
    expect(open.phase).toBe('proposed')
    expect(open.parts.has('error')).toBe(true)
    expect(open.texts).toMatchObject({ error: error.message, hint: error.hint })
    expect(view({ status: 'error', error }).phase).toBe('failed')
    expect(view({ status: 'error', error }).parts.has('settings')).toBe(true)
  })

  it('says the same of a state that came as JSON', () => {
    const state = appState({ status: 'proposed', proposal: PROPOSAL })
    expect(nowView(JSON.parse(JSON.stringify(state)), NOW)).toEqual(nowView(state, NOW))
  })
})
