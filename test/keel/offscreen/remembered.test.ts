import { describe, expect, it } from 'vitest'
import type { KeelEvent } from '../../../src/keel/memory/store.ts'
import { rememberedProposals } from '../../../src/keel/offscreen/remembered.ts'

/** Oldest first, a minute apart; of one proposal. */
function life(...events: readonly (readonly [kind: string, data?: object])[]): KeelEvent[] {
  return events
    .map(([kind, data], index) => ({ kind, at: new Date(2026, 5, 5, 10, index), data: { proposal_id: 'a', mode: 'offscreen', ...data } }))
    .reverse()
}
const outcome = (...kinds: readonly string[]) => {
  const [found] = rememberedProposals(life(['proposal_made', { next_action: 'walk' }], ...kinds.map((kind) => [kind] as const)))
  return found!.outcome
}

describe('the outcome of a proposal', () => {
  it.each([
    ['unactioned', []],
    ['unknown', ['confirm_begun']],
    ['unactioned', ['confirm_begun', 'confirm_failed']],
    ['unknown', ['confirm_begun', 'confirm_begun', 'confirm_failed']],
    ['unknown', ['confirm_failed', 'confirm_begun']],
    ['unactioned', ['confirm_failed']],
    ['confirmed', ['confirm_begun', 'action_taken']],
    ['confirmed', ['action_taken', 'confirm_failed', 'proposal_dismissed']],
    ['dismissed', ['confirm_begun', 'proposal_dismissed']],
    ['unknown', ['confirm_begun', 'proposal_dismissed', 'dismissal_undone']],
    ['unactioned', ['proposal_dismissed', 'dismissal_undone']],
    ['dismissed', ['proposal_dismissed', 'dismissal_undone', 'proposal_dismissed']],
    ['dismissed', ['dismissal_undone', 'proposal_dismissed']],
    ['put_aside', ['proposal_put_aside']],
    ['unknown', ['confirm_begun', 'proposal_put_aside']],
    ['confirmed', ['action_taken', 'proposal_put_aside']],
  ] as const)('is %s after %j', (expected, kinds) => {
    expect(outcome(...kinds)).toBe(expected)
  })
})

it('what was confirmed is called by what was confirmed, also where the edit before it was lost', () => {
  const events = life(
    ['proposal_made', { next_action: 'walk' }],
    ['proposal_edited', { next_action: 'walk far' }],
    ['action_taken', { next_action: 'walk to the sea' }],
  )
  expect(rememberedProposals(events)).toMatchObject([{ action: 'walk to the sea' }])
})
