/**
 * The off-screen mode: one proposal at a time, and what its user says to it. Every command takes what it needs before it waits for
 * anything, so that two at once cannot do the same thing twice.
 */

import { randomBytes } from 'node:crypto'
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { newAsync } from '../harness/async.ts'
import type { Services } from '../harness/services.ts'
import { checkedCommand } from './command.ts'
import { ACTION_TAKEN, PROPOSAL_DISMISSED, PROPOSAL_EDITED, PROPOSAL_MADE, PROPOSAL_SNOOZED } from './kinds.ts'
import { type Proposed, propose } from './propose.ts'
import { newRecorder } from './recorder.ts'
import * as refusal from './refusals.ts'
import type { RememberedProposal } from './remembered.ts'
import { openProposal } from './resume.ts'
import { newSleep } from './sleep.ts'
import { awake, explained, type Made, type Run, type State, shown, withoutError } from './state.ts'
import type { OffscreenCommand, OffscreenMode } from './view.ts'

export interface RunningMode extends OffscreenMode {
  /** From now on these; what is under way goes on with the ones that it began with. */
  use(services: Services): void
  /** Takes up the open proposal of a run before, where nothing was asked for meanwhile. Never throws. */
  resume(signal: AbortSignal): Promise<void>
}

/** Milliseconds that a proposer which was cancelled is given before the next one is asked. */
const CANCEL_MS = 2_000
/** Actions that are kept in mind while something else is asked for. */
const MOST_PASSED_OVER = 20
/** Decisions of this run that are remembered without a memory. */
const MOST_DECIDED = 50

/** `newId`: 8 random bytes as 16 hexadecimal digits. */
export function newOffscreenMode(initial: Services, newId: () => string = () => randomBytes(8).toString('hex')): RunningMode {
  let services = initial
  let state: State = { status: 'pending' }
  let brief: ReturnType<OffscreenMode['lastBrief']>
  let lastRun: Promise<void> = Promise.resolve()
  let passedOver: readonly string[] = []
  let decided: readonly RememberedProposal[] = []
  const stopped = new AbortController()
  /** Ends what a stop has waited for long enough. */
  const ended = new AbortController()

  const now = (): Date => services.clock?.() ?? new Date()
  const notify = (): void => services.notify?.()
  const background = newAsync(notify)
  const recorder = newRecorder(() => services, now, background)
  const sleep = newSleep(now, notify)

  /** Whoever calls it tells, sooner or later. */
  function put(next: State): void {
    state = next
    sleep.until(next.snoozedUntil)
  }

  function become(next: State): void {
    put(next)
    notify()
  }

  function beginProposal(): void {
    const run: Run = { abort: new AbortController(), before: withoutError(state) }
    const using = services
    const previous = lastRun
    become({ status: 'pending', run })
    lastRun = background.run(
      async () => {
        await withinTime(CANCEL_MS, run.abort.signal, (limit) => untilAborted(previous, limit, undefined))
        run.abort.signal.throwIfAborted()
        return propose(using, {
          now: now(),
          signal: run.abort.signal,
          passedOver,
          decided,
          onBrief(text) {
            brief = { text, at: now().toISOString(), to: using.ai.name }
          },
        })
      },
      (settled) => {
        // Somebody else has the word by now: an answer that comes late changes nothing.
        if (state.run !== run) return
        if ('value' in settled) proposed(settled.value, using.ai.name)
        else failed(run, settled.error)
      },
    )
  }

  function proposed({ nextAction, rationale, repeats }: Proposed, by: string): void {
    const at = now()
    const proposal = { id: newId(), nextAction, rationale, madeAt: at.toISOString(), by, ...(repeats ? { repeats } : {}) }
    put({ status: 'proposed', proposal })
    recorder.async(PROPOSAL_MADE, proposal.id, { next_action: nextAction, rationale })
  }

  function failed({ before }: Run, error: unknown): void {
    services.log?.(printable(`offscreen: no proposal (${reason(error)})`))
    const kept = before.status === 'proposed' ? before : { status: 'error' as const }
    put({ ...kept, error: explained(error) })
  }

  function start(): void {
    refuseWhileBusy()
    // A page that does not know of the proposal yet asks for what is there already.
    if (state.status === 'proposed') become(awake(state))
    else beginProposal()
  }

  function another(id: string | undefined): void {
    refuseStale(id)
    refuseWhileBusy()
    if (state.status === 'proposed') passedOver = [state.proposal!.nextAction, ...passedOver].slice(0, MOST_PASSED_OVER)
    beginProposal()
  }

  function confirm(id: string | undefined): Promise<void> {
    refuseStale(id)
    if (state.confirming !== undefined) {
      // Pressed twice: both get what comes of the first.
      if (id !== undefined) return state.confirming
      throw refusal.busy('confirming')
    }
    if (id !== undefined && state.outcome === 'confirmed') return Promise.resolve()
    const proposal = state.status === 'proposed' ? state.proposal : undefined
    if (proposal === undefined) throw refusal.nothingToConfirm()
    const before = withoutError(state)
    // Behind what follows here: a tool that fails at once must find the state that it is to leave.
    const confirming = Promise.resolve().then(() => addTask(proposal, before))
    become({ ...before, confirming })
    return confirming
  }

  /** The task first: without it nothing was confirmed. */
  async function addTask({ id, nextAction }: Made, before: State): Promise<void> {
    try {
      await services.tasks.create(nextAction, { signal: ended.signal })
    } catch (error) {
      become({ ...before, error: explained(error) })
      throw error
    }
    decide('confirmed')
    await recorder.sync(ACTION_TAKEN, id, { next_action: nextAction })
  }

  async function dismiss(id: string | undefined, why: string | undefined): Promise<void> {
    refuseStale(id)
    if (state.run !== undefined) return cancel(state.run)
    if (state.confirming !== undefined) throw refusal.busy('confirming')
    if (id !== undefined && state.outcome === 'dismissed') return
    if (state.status !== 'proposed') throw refusal.nothingToDismiss()
    const proposal = state.proposal!
    decide('dismissed')
    await recorder.sync(PROPOSAL_DISMISSED, proposal.id, why === undefined ? {} : { reason: why })
  }

  function cancel({ abort, before }: Run): void {
    abort.abort(new Error('cancelled'))
    become(before.status === 'proposed' ? before : { status: 'pending' })
  }

  function decide(outcome: 'confirmed' | 'dismissed'): void {
    const proposal = state.proposal!
    const at = now()
    const { id, nextAction: action, rationale } = proposal
    decided = [{ id, at, action, rationale, outcome, outcomeAt: at }, ...decided].slice(0, MOST_DECIDED)
    passedOver = []
    become({ status: 'done', proposal, outcome })
  }

  async function snooze(id: string | undefined, minutes: number): Promise<void> {
    const proposal = current(id)
    become({ ...awake(state), snoozedUntil: new Date(now().getTime() + minutes * 60_000) })
    await recorder.sync(PROPOSAL_SNOOZED, proposal.id, { minutes })
  }

  async function edit(id: string | undefined, text: string): Promise<void> {
    const { repeats: _, ...proposal } = current(id)
    if (text === proposal.nextAction) return
    become({ ...state, proposal: { ...proposal, nextAction: text } })
    await recorder.sync(PROPOSAL_EDITED, proposal.id, { next_action: text })
  }

  function current(id: string | undefined): Made {
    refuseStale(id)
    refuseWhileBusy()
    if (state.status !== 'proposed') throw refusal.nothingProposed()
    return state.proposal!
  }

  function refuseStale(id: string | undefined): void {
    if (id !== undefined && id !== state.proposal?.id) throw refusal.staleProposal()
  }

  function refuseWhileBusy(): void {
    if (state.run !== undefined) throw refusal.busy('proposing')
    if (state.confirming !== undefined) throw refusal.busy('confirming')
  }

  async function settled(): Promise<void> {
    await Promise.allSettled([state.confirming])
    await background.idle()
  }

  async function carryOut(command: OffscreenCommand): Promise<void> {
    switch (command.name) {
      case 'start':
        return start()
      case 'another':
        return another(command.proposalId)
      case 'confirm':
        return confirm(command.proposalId)
      case 'dismiss':
        return dismiss(command.proposalId, command.reason)
      case 'cancel':
        if (state.run === undefined) throw refusal.nothingToCancel()
        return cancel(state.run)
      case 'undo':
        throw refusal.nothingToUndo()
      case 'snooze':
        return snooze(command.proposalId, command.minutes)
      case 'edit':
        return edit(command.proposalId, command.text)
    }
  }

  return {
    async command(command) {
      if (stopped.signal.aborted) throw refusal.stopping()
      await carryOut(checkedCommand(command))
    },
    view: () => shown(state, now()),
    lastBrief: () => brief,
    use(next) {
      services = next
      notify()
    },
    async resume(signal) {
      const { memory, log } = services
      const found = memory === undefined ? undefined : await openProposal(memory, now, signal, log)
      // Nothing was asked for while the memory was read.
      if (found === undefined || state.status !== 'pending' || state.run !== undefined || stopped.signal.aborted) return
      const { id, action, rationale, at, snoozedUntil } = found
      const proposal = { id, nextAction: action, rationale, madeAt: at.toISOString(), by: '' }
      become({ status: 'proposed', proposal, ...(snoozedUntil === undefined ? {} : { snoozedUntil }) })
    },
    async stop(signal) {
      stopped.abort()
      if (state.run !== undefined) cancel(state.run)
      sleep.until(undefined)
      await untilAborted(settled(), signal, undefined)
      ended.abort(new Error('keeld stops'))
    },
  }
}
