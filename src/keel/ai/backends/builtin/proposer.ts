/**
 * Proposes by rules: offline, at once, the same for the same brief, clock and exclusions. It never fails.
 * At night: rest. Else, best first: a due task that needs no screen; a small one; what a goal asks for; paper and pen for a due task at the
 * screen; and what does good at this time of day.
 */
import { localDay } from '../../../../util/local-day.ts'
import type { Proposal, Proposer } from '../../backend.ts'
import { ACTION_LIMIT, oneLine, shortened } from '../../proposal.ts'
import { isSameAction } from '../../same-action.ts'
import { DAY_ACTIONS, GOAL_ACTIONS, LONG_SCREEN_TIME } from './actions.ts'
import { isOffScreen } from './off-screen.ts'
import { type BriefParts, type BriefTask, readBrief } from './read-brief.ts'

/** Minutes at the screen from which a break goes before everything that is not due. */
const LONG_MINUTES = 240
/** Words of a task that can be done in one go. */
const SMALL_WORDS = 8

/** `exclude` is heeded as long as anything else is left. Errors: the reason of `signal`. */
export function builtinProposer(now: () => Date): Proposer {
  return {
    name: 'builtin',
    async propose(brief, { exclude = [], signal }) {
      signal.throwIfAborted()
      const parts = readBrief(brief)
      const at = now()
      const candidates = [...proposals(parts, at)].filter(({ nextAction }) => !isNight(at) || !NEEDS_THE_DAY.test(nextAction))
      // Never nothing: where all was proposed lately, what can always be done again.
      return pick(candidates, parts, exclude) ?? candidates.at(-1)!
    },
  }
}

/** The first that is new; else the first that was proposed and left alone, which may be taken up again. */
function pick(candidates: readonly Proposal[], { recent }: BriefParts, exclude: readonly string[]): Proposal | undefined {
  const decided = recent.filter(({ outcome }) => outcome !== 'unactioned').map(({ action }) => action)
  const isAmong = (actions: readonly string[], { nextAction }: Proposal) => actions.some((action) => isSameAction(action, nextAction))
  const open = candidates.filter((candidate) => !isAmong([...exclude, ...decided], candidate))
  const left = recent.filter(({ outcome }) => outcome === 'unactioned').map(({ action }) => action)
  return open.find((candidate) => !isAmong(left, candidate)) ?? open[0]
}

function* proposals(parts: BriefParts, now: Date): Generator<Proposal> {
  const today = localDay(now)
  const tasks = parts.tasks.map(({ title, ...rest }) => ({ ...rest, title: oneLine(title) })).filter(({ title }) => title !== '')
  const due = tasks
    .filter((task) => task.due !== undefined && task.due <= today)
    .sort((a, b) => (a.due! < b.due! ? -1 : a.due! > b.due! ? 1 : 0))
  const away = (task: BriefTask): boolean => isOffScreen(task.title)

  if (isNight(now)) yield* forTimeOfDay(now)
  for (const task of due.filter(away)) yield proposal(task.title, `${whenDue(task, today)}, and you need no screen for it.`)
  if (parts.screenMinutes >= LONG_MINUTES) yield* breaks(parts, now)
  for (const task of tasks.filter((task) => !due.includes(task) && away(task) && isSmall(task))) {
    yield proposal(task.title, 'It is on your list, it is small, and you need no screen for it.')
  }
  yield* forGoals(parts, now)
  for (const task of due.filter((task) => !away(task))) {
    yield proposal(
      `Take pen and paper and plan the first steps of: ${task.title}`,
      `${whenDue(task, today)}; away from the screen it is easier to see what comes first.`,
    )
  }
  if (!isNight(now)) yield* forTimeOfDay(now)
  if (parts.screenMinutes < LONG_MINUTES) yield* breaks(parts, now)
}

function* breaks({ screenMinutes }: BriefParts, now: Date): Generator<Proposal> {
  const hours = Math.floor(screenMinutes / 60)
  const why =
    hours > 0
      ? `You were at the screen for more than ${hours} ${hours === 1 ? 'hour' : 'hours'} today.`
      : 'A short break is always a good idea.'
  for (const action of turned(LONG_SCREEN_TIME, now)) yield proposal(action, why)
}

function* forGoals({ goals }: BriefParts, now: Date): Generator<Proposal> {
  const wanted = GOAL_ACTIONS.map((entry) => ({ ...entry, at: goals.search(entry.words) })).filter(({ at }) => at >= 0)
  wanted.sort((a, b) => a.at - b.at)
  // In turns, so that the second goal does not wait until the first one has nothing more to offer.
  for (let round = 0; round < Math.max(0, ...wanted.map(({ actions }) => actions.length)); round++) {
    for (const { actions, goal } of wanted) {
      const action = turned(actions, now)[round]
      if (action !== undefined) yield proposal(action, `Your goals speak of ${goal}, and this is a small step.`)
    }
  }
}

function* forTimeOfDay(now: Date): Generator<Proposal> {
  const { part, actions } = DAY_ACTIONS.findLast(({ from }) => now.getHours() >= from)!
  for (const action of turned(actions, now)) yield proposal(action, `${part}, and this does good without a screen.`)
}

/** Every day begins with another one. */
function turned(actions: readonly string[], now: Date): string[] {
  const start = (now.getDate() + now.getMonth()) % actions.length
  return [...actions.slice(start), ...actions.slice(0, start)]
}

function proposal(nextAction: string, rationale: string): Proposal {
  return { nextAction: shortened(nextAction, ACTION_LIMIT), rationale }
}

/** Nobody is called or asked, and nothing is bought or brought, between ten in the evening and five in the morning, whatever else was declined. */
const NEEDS_THE_DAY =
  /^(?:please |go (?:and )?|to )*(?:call|phone|ring|visit|meet|ask|talk|tell|thank|congratulate|buy|shop|get|pick up|collect|fetch|bring|take|return|post|mail|drop|vacuum|mow)\b/i

function isNight(now: Date): boolean {
  return now.getHours() >= 22 || now.getHours() < 5
}

function isSmall({ title }: BriefTask): boolean {
  return title.split(' ').length <= SMALL_WORDS
}

function whenDue({ due }: BriefTask, today: string): string {
  return due === today ? 'It is due today' : `It was due on ${due}`
}
