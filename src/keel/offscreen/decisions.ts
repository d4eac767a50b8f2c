/** What the user says to a proposal, but for confirming it. */
import { openNow, refuseStale } from './checks.ts'
import type { ModeContext } from './context.ts'
import { DISMISSAL_UNDONE, PROPOSAL_DISMISSED, PROPOSAL_EDITED, PROPOSAL_SNOOZED } from './kinds.ts'
import * as refusal from './refusals.ts'
import { justSaid, repeated } from './repeats.ts'
import { asRemembered, awake, withoutError } from './state.ts'

/** Each resolves when it is recorded, or could not be. Errors: those of `OffscreenCommand`. */
export interface Decisions {
  /** A second time only to say why. */
  dismiss(id: string | undefined, why: string | undefined): Promise<void>
  undo(id: string | undefined): Promise<void>
  snooze(id: string | undefined, minutes: number): Promise<void>
  edit(id: string | undefined, text: string): Promise<void>
}

/** Each changes the state at once, before anything is recorded. */
export function newDecisions(context: ModeContext): Decisions {
  const { choices, recorder, now } = context
  /** The proposal that was dismissed and came back last. */
  let undone: string | undefined

  return {
    async dismiss(id, why) {
      const { state } = context
      refuseStale(state, id)
      if (state.confirming !== undefined) throw refusal.busy('confirming')
      const isAgain = id !== undefined && state.outcome === 'dismissed'
      if (isAgain && (why === undefined || state.reason !== undefined)) return
      if (!isAgain && state.status !== 'proposed') throw refusal.nothingToDismiss()
      if (!isAgain) choices.decide(asRemembered(state, 'dismissed', now()))
      const reason = why === undefined ? {} : { reason: why }
      context.become({ ...withoutError(state), status: 'done', outcome: 'dismissed', ...reason })
      await recorder.sync(PROPOSAL_DISMISSED, state.proposal!.id, reason)
    },
    async undo(id) {
      const { state } = context
      refuseStale(state, id)
      if (id !== undefined && id === undone && state.status === 'proposed') return
      if (state.outcome !== 'dismissed') throw refusal.nothingToUndo()
      const { outcome: _, reason: __, ...open } = state
      undone = state.proposal!.id
      choices.undo()
      context.become({ ...open, status: 'proposed' })
      await recorder.sync(DISMISSAL_UNDONE, undone)
    },
    async snooze(id, minutes) {
      const proposal = openNow(context.state, id)
      context.become({ ...awake(context.state), snoozedUntil: new Date(now().getTime() + minutes * 60_000) })
      await recorder.sync(PROPOSAL_SNOOZED, proposal.id, { minutes })
    },
    async edit(id, text) {
      const { state } = context
      const { repeats: _, ...proposal } = openNow(state, id)
      if (text === proposal.nextAction) return
      const { original = proposal.nextAction, ...rest } = state
      const others = choices.known.filter((other) => other.id !== proposal.id)
      const repeats = repeated(text, justSaid(others, now()))
      context.become({
        ...rest,
        proposal: { ...proposal, nextAction: text, ...(repeats === undefined ? {} : { repeats }) },
        ...(text === original ? {} : { original }),
      })
      await recorder.sync(PROPOSAL_EDITED, proposal.id, { next_action: text })
    },
  }
}
