/**
 * The off-screen mode: one proposal at a time, and what its user says to it. Every command takes what it needs before it waits for
 * anything, so that two at once cannot do the same thing twice.
 */
import { randomBytes } from 'node:crypto'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import type { KeelMemory } from '../memory/store.ts'
import { checkedCommand } from './command.ts'
import { ENDED_IN_THE_MIDDLE, newConfirmation } from './confirmation.ts'
import { newContext } from './context.ts'
import { newDecisions } from './decisions.ts'
import { type ForgottenProposal, forgetProposal } from './forget.ts'
import * as refusal from './refusals.ts'
import { openProposal, recall } from './resume.ts'
import { newRuns } from './runs.ts'
import type { Services } from './services.ts'
import { shown } from './state.ts'
import type { OffscreenCommand, OffscreenMode } from './view.ts'

export interface RunningMode extends OffscreenMode {
  /** From now on these; what is under way goes on with the ones that it began with. */
  use(services: Services): void
  /** Takes up the open proposal of a run before, where nothing was asked for meanwhile. Never throws. */
  resume(signal: AbortSignal): Promise<void>
  /** One proposal, or all of them, here and in `memory`. Errors: `busy`, `stopping`, those of `memory`. */
  forget(id: ForgottenProposal, memory: Pick<KeelMemory, 'forget'>): Promise<void>
}

/** Milliseconds that a command waits for what is taken up; a memory that is slower takes nothing up. */
const RESUME_MS = 3_000

/** `newId`: 8 random bytes as 16 hexadecimal digits. */
export function newOffscreenMode(initial: Services, newId: () => string = () => randomBytes(8).toString('hex')): RunningMode {
  const context = newContext(initial)
  const runs = newRuns(context, newId)
  const confirmation = newConfirmation(context)
  const decisions = newDecisions(context)
  let isStopping = false
  /** While it goes on commands wait: a proposal that may be a task already must not be lost to one that is asked for meanwhile. */
  let resuming: Promise<void> | undefined
  const forgotten = new Set<ForgottenProposal>()

  async function carryOut(command: OffscreenCommand): Promise<void> {
    switch (command.name) {
      case 'start':
        return runs.start()
      case 'another':
        return runs.another(command.proposalId)
      case 'cancel':
        return runs.cancel()
      case 'confirm':
        return confirmation.confirm(command)
      case 'dismiss':
        if (command.proposalId === undefined && context.state.run !== undefined) return runs.cancel()
        return decisions.dismiss(command.proposalId, command.reason)
      case 'undo':
        return decisions.undo(command.proposalId)
      case 'snooze':
        return decisions.snooze(command.proposalId, command.minutes)
      case 'edit':
        return decisions.edit(command.proposalId, command.text)
    }
  }

  async function takeUp(signal: AbortSignal): Promise<void> {
    const { memory } = context.services
    if (memory === undefined) return
    const remembered = await recall(memory, signal, context.log)
    // Nothing was forgotten while the memory was read, and nothing asked for by who did not wait.
    if (context.state.status !== 'pending' || context.state.run !== undefined || isStopping || forgotten.has(undefined)) return
    context.choices.hear(remembered.filter(({ id }) => !forgotten.has(id)))
    const found = openProposal(remembered, context.now())
    if (found === undefined || forgotten.has(found.id)) return
    const { id, action, original, rationale, at, snoozedUntil, outcome } = found
    context.become({
      status: 'proposed',
      proposal: { id, nextAction: action, rationale, madeAt: at.toISOString(), by: '' },
      ...(original === undefined ? {} : { original }),
      ...(snoozedUntil === undefined ? {} : { snoozedUntil }),
      ...(outcome === 'unknown' ? { doubt: ENDED_IN_THE_MIDDLE } : {}),
    })
  }

  return {
    async command(command) {
      const checked = checkedCommand(command)
      if (resuming !== undefined) await withinTime(RESUME_MS, undefined, (limit) => untilAborted(resuming!, limit, undefined))
      if (isStopping) throw refusal.stopping()
      await carryOut(checked)
    },
    view: () => shown(context.state, context.now()),
    lastBrief: runs.lastBrief,
    use: context.use,
    async resume(signal) {
      resuming = takeUp(signal)
      await resuming
      resuming = undefined
    },
    async forget(id, memory) {
      if (isStopping) throw refusal.stopping()
      forgotten.add(id)
      await forgetProposal(context, runs, memory, id)
    },
    async stop(signal) {
      isStopping = true
      runs.end()
      await confirmation.end()
      await untilAborted(context.background.idle(), signal, undefined)
    },
  }
}
