/**
 * Confirming: the task first, without it nothing was confirmed. That it is about to be added is recorded before, so that neither a crash nor
 * a lost answer leads to a second one unnoticed.
 */
import { MemuError, reason } from '../../util/errors.ts'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { isSameWording } from '../ai/same-action.ts'
import type { Task, TaskList } from '../tasks/task-list.ts'
import { refuseStale } from './checks.ts'
import type { ModeContext } from './context.ts'
import { ACTION_TAKEN, CONFIRM_BEGUN, CONFIRM_FAILED } from './kinds.ts'
import * as refusal from './refusals.ts'
import { asRemembered, type Made, type Problem, problemOf, type State, withoutError } from './state.ts'
import type { OffscreenCommand } from './view.ts'

export interface Confirmation {
  /** Resolves when the task is added, or was there, and that is recorded. Errors: those of `OffscreenCommand`. */
  confirm(what: Pick<Extract<OffscreenCommand, { readonly name: 'confirm' }>, 'proposalId' | 'text' | 'again'>): Promise<void>
  /** Lets a task that is being added be added, for a while, and ends it then. */
  end(): Promise<void>
}

/** Milliseconds that a stop waits for a task that is being added: what is ended in the middle may be added or not. */
export const FINISH_MS = 10_000
/** Milliseconds for what follows when it was ended. */
const ENDED_MS = 1_000
/** Milliseconds for a look at the list: somebody waits, and as a rule it is as it was. */
const LOOK_MS = 3_000
/** The same where nothing is known of it: as long as a tool may take. */
const UNKNOWN_LOOK_MS = 15_000
/** Titles that are looked at then. */
const MOST_TITLES = 500

/** The code of a task that may have been added, as the port has it. */
const UNKNOWN = 'task_create_unknown'
const LOOK_FIRST = 'It may have been added: look for it before you confirm again.'

/** Beside a proposal of a run before whose confirmation has no known end. */
export const ENDED_IN_THE_MIDDLE: Problem = {
  message: 'It was confirmed, and nobody knows whether the task was added.',
  hint: LOOK_FIRST,
  code: UNKNOWN,
}

/** Takes the proposal that `context` has at the moment of the call, and leaves it there with what came of it. */
export function newConfirmation(context: ModeContext): Confirmation {
  const { recorder } = context
  const ended = new AbortController()

  function confirm({ proposalId: id, text, again }: Parameters<Confirmation['confirm']>[0]): Promise<void> {
    const { state } = context
    refuseStale(state, id, text)
    if (state.confirming !== undefined) {
      // Pressed twice: both get what comes of the first.
      if (id !== undefined) return state.confirming
      throw refusal.busy('confirming')
    }
    if (id !== undefined && state.outcome === 'confirmed') return Promise.resolve()
    const proposal = state.status === 'proposed' ? state.proposal : undefined
    if (proposal === undefined) throw refusal.nothingToConfirm()
    // Pressed twice on a page that has not heard of the first time: what it would do is not what it says.
    if (state.doubt !== undefined && !again) throw refusal.perhapsAdded(state.doubt)
    const before = withoutError(state)
    // Behind what follows here: a tool that fails at once must find the state that it is to leave.
    const confirming = Promise.resolve().then(() => carryOut(proposal, before))
    context.become({ ...before, confirming })
    return confirming
  }

  async function carryOut(proposal: Made, before: State): Promise<void> {
    const { id, nextAction } = proposal
    const { tasks } = context.services
    const isThere = (await openTitles(before, tasks)).some((title) => isSameWording(title, nextAction))
    if (!isThere) {
      await recorder.sync(CONFIRM_BEGUN, id, { next_action: nextAction })
      await add(proposal, before, tasks)
    }
    const existing = isThere ? { existing: true as const } : {}
    context.choices.decide(asRemembered(before, 'confirmed', context.now()))
    context.become({ status: 'done', proposal, outcome: 'confirmed', ...existing })
    await recorder.sync(ACTION_TAKEN, id, { next_action: nextAction, ...existing })
  }

  /** As the tool has them now. Where it does not say so in time: as the proposal was made with them. Never fails. */
  async function openTitles({ listed, proposal }: State, tasks: TaskList): Promise<readonly string[]> {
    try {
      return await withinTime(listed === undefined ? UNKNOWN_LOOK_MS : LOOK_MS, ended.signal, async (limit) => {
        const list = tasks.list({ limit: MOST_TITLES, signal: limit, fresh: true })
        const found = await untilAborted<readonly Task[] | undefined>(list, limit, undefined)
        if (found === undefined) throw new Error('no answer in time')
        return found.map(({ title }) => title)
      })
    } catch (error) {
      logged(`the tasks are taken for ${listed === undefined ? 'none' : 'those of when it was proposed'}`, error, proposal!.nextAction)
      return listed ?? []
    }
  }

  /** Where that fails the proposal stays. */
  async function add({ id, nextAction }: Made, before: State, tasks: TaskList): Promise<void> {
    try {
      await tasks.create(nextAction, { signal: ended.signal })
    } catch (error) {
      if (isSurelyNotAdded(error, ended.signal)) {
        context.become({ ...before, error: stillInDoubt(problemOf(error), before.doubt) })
        logged('the task was not added', error, nextAction)
        await recorder.sync(CONFIRM_FAILED, id)
        throw error
      }
      const unknown = asUnknown(error)
      context.become({ ...before, doubt: { hint: LOOK_FIRST, ...problemOf(unknown) } })
      logged('nobody knows whether the task was added', error, nextAction)
      throw unknown
    }
  }

  /** The task's text is nothing for a log. */
  function logged(what: string, error: unknown, text: string): void {
    context.log(`offscreen: ${what} (${reason(error).replaceAll(text, () => '…')})`)
  }

  return {
    confirm,
    async end() {
      const { confirming } = context.state
      const over = Promise.allSettled([confirming])
      if (confirming !== undefined) {
        context.log(`offscreen: a task is being added; waiting for it, ${FINISH_MS / 1000} s at most`)
        await withinTime(FINISH_MS, undefined, (limit) => untilAborted<unknown>(over, limit, undefined))
      }
      ended.abort(new Error('keeld stops'))
      await withinTime(ENDED_MS, undefined, (limit) => untilAborted<unknown>(over, limit, undefined))
    },
  }
}

/** By the contract of the port. */
function isSurelyNotAdded(error: unknown, signal: AbortSignal): boolean {
  return (error instanceof MemuError && error.code === 'task_create_failed') || (signal.aborted && error === signal.reason)
}

function asUnknown(error: unknown): MemuError {
  if (error instanceof MemuError && error.code === UNKNOWN) return error
  const message = `Nobody knows whether the task was added: ${reason(error)}`
  return new MemuError(UNKNOWN, message, { hint: LOOK_FIRST, cause: error })
}

/** What failed after it, a second try among that, says nothing about whether it was added. */
export function stillInDoubt(problem: Problem, doubt: Problem | undefined): Problem {
  return doubt === undefined ? problem : { ...problem, hint: LOOK_FIRST, code: UNKNOWN }
}
