/** Proposals that are being made: one at a time, each of which can be cancelled. */
import { reason } from '../../util/errors.ts'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { refuseStale, refuseWhileBusy } from './checks.ts'
import { stillInDoubt } from './confirmation.ts'
import type { ModeContext } from './context.ts'
import { PROPOSAL_MADE, PROPOSAL_PUT_ASIDE, PROPOSAL_SNOOZED } from './kinds.ts'
import { type Proposed, propose } from './propose.ts'
import * as refusal from './refusals.ts'
import { asRemembered, awake, isAsleep, problemOf, type Run, withoutError, wordsOf } from './state.ts'
import type { OffscreenMode } from './view.ts'

export interface Runs {
  start(): void
  another(id: string | undefined): void
  cancel(): void
  lastBrief: OffscreenMode['lastBrief']
  /** It may name what its user wants forgotten. */
  forgetBrief(): void
  /** Ends whatever goes on for a proposal. */
  end(): void
}

/** Milliseconds that a proposer which was cancelled is given before the next one is asked. */
const CANCEL_MS = 2_000

/** One run at a time; what a run that was cancelled comes to changes nothing any more. Errors: those of `OffscreenCommand`, at once. */
export function newRuns(context: ModeContext, newId: () => string): Runs {
  const { choices, recorder, now } = context
  let brief: ReturnType<OffscreenMode['lastBrief']>
  let last: { readonly abort: AbortController; readonly over: Promise<void> } | undefined

  function begin(): void {
    const run: Run = { abort: new AbortController(), before: withoutError(context.state) }
    const { signal } = run.abort
    const { services } = context
    const previous = last?.over ?? Promise.resolve()
    context.become({ status: 'pending', run })
    const over = context.background.run(
      async () => {
        await withinTime(CANCEL_MS, signal, (limit) => untilAborted(previous, limit, undefined))
        signal.throwIfAborted()
        return propose(services, {
          now: now(),
          signal,
          passedOver: choices.passedOver,
          own: choices.own,
          onBrief(text) {
            brief = { text, at: now().toISOString(), to: services.ai.name }
          },
        })
      },
      (settled) => {
        // Somebody else has the word by now: an answer that comes late changes nothing.
        if (context.state.run !== run) return
        if ('value' in settled) proposed(run, settled.value, services.ai.name)
        else failed(run, settled.error)
      },
    )
    last = { abort: run.abort, over }
  }

  function proposed({ before }: Run, { nextAction, rationale, repeats, listed, remembered }: Proposed, by: string): void {
    const at = now()
    const proposal = { id: newId(), nextAction, rationale, madeAt: at.toISOString(), by, ...(repeats ? { repeats } : {}) }
    choices.hear(remembered)
    context.put({ status: 'proposed', proposal, listed })
    recorder.async(PROPOSAL_MADE, proposal.id, { next_action: nextAction, rationale })
    if (before.status !== 'proposed') return
    // Only now: where nothing else can be had, it comes back.
    choices.putAside(asRemembered(before, 'put_aside', at))
    recorder.async(PROPOSAL_PUT_ASIDE, before.proposal!.id)
  }

  function failed({ before }: Run, error: unknown): void {
    const kept = before.status === 'proposed' ? before : { status: 'error' as const }
    context.put({ ...kept, error: stillInDoubt(problemOf(error), before.doubt) })
    context.log(`offscreen: no proposal (${reason(error)})`)
  }

  function cancel(): void {
    const { run } = context.state
    if (run === undefined) throw refusal.nothingToCancel()
    run.abort.abort(new Error('cancelled'))
    context.become(run.before.status === 'proposed' ? run.before : { status: 'pending' })
  }

  return {
    start() {
      const { state } = context
      refuseWhileBusy(state)
      if (state.status !== 'proposed') return begin()
      // A page that does not know of the proposal yet asks for what is there already.
      const wasAsleep = isAsleep(state, now())
      context.become(awake(state))
      if (wasAsleep) recorder.async(PROPOSAL_SNOOZED, state.proposal!.id, { minutes: 0 })
    },
    another(id) {
      const { state } = context
      // Pressed twice: it is being put aside already.
      if (id !== undefined && state.run?.before.proposal?.id === id) return
      refuseStale(state, id)
      refuseWhileBusy(state)
      if (state.status === 'proposed') choices.passOver(state.proposal!.id, wordsOf(state))
      begin()
    },
    cancel,
    lastBrief: () => brief,
    forgetBrief() {
      brief = undefined
    },
    end() {
      last?.abort.abort(new Error('keeld stops'))
      if (context.state.run !== undefined) cancel()
    },
  }
}
