/** What a proposer is told: tasks, what was recently proposed, goals, what is known of the user, and today's screen time. */

import { reason } from '../../util/errors.ts'
import { localDay } from '../../util/local-day.ts'
import { printable } from '../../util/printable.ts'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import type { KnowledgeSource } from '../knowledge/source.ts'
import { cutAtLine } from '../knowledge/text.ts'
import type { KeelEvent } from '../memory/store.ts'
import type { Task } from '../tasks/task-list.ts'
import { boundedLine, TITLE_LIMIT } from '../tasks/task-text.ts'
import { briefHistory } from './brief-history.ts'
import { type RememberedProposal, rememberedProposals } from './remembered.ts'
import type { Services } from './services.ts'

export interface Brief {
  readonly text: string
  /** Titles of the open tasks in it; undefined where they could not be read. */
  readonly listed: readonly string[] | undefined
  /** What the history was made of, and what a wrong clock has made: all that is known. */
  readonly remembered: readonly RememberedProposal[]
}

/** Milliseconds for each section but the tasks; they are gathered at the same time, and what is not there by then is left out. */
export const SECTION_LIMIT_MS = 2_500
/** Milliseconds for the tasks, without which a proposal is worth less: their program may have to ask a server first. */
export const TASKS_LIMIT_MS = 8_000
/** Tasks; more would outweigh the rest, and a small model loses itself in them. */
const MOST_TASKS = 25
/** Bytes of a text that a source gives. */
const SECTION_LIMIT = 32 * 1024

export interface BriefOptions {
  readonly now: Date
  readonly signal: AbortSignal
  /** Milliseconds, for tests. */
  readonly limitMs?: number
  readonly tasksLimitMs?: number
}

/** Never fails, except with the reason of `signal`: a section that cannot be had is absent. */
export async function assembleBrief(
  services: Pick<Services, 'tasks' | 'memory' | 'knowledge' | 'known' | 'screenTime' | 'log'>,
  { now, signal, limitMs = SECTION_LIMIT_MS, tasksLimitMs = TASKS_LIMIT_MS }: BriefOptions,
): Promise<Brief> {
  const limited = <Result>(ms: number, gather: (limit: AbortSignal) => Promise<Result>): Promise<Result> => withinTime(ms, signal, gather)
  const source = (from: KnowledgeSource | undefined): Promise<string> =>
    from === undefined ? Promise.resolve('') : limited(limitMs, (limit) => sourceText(from, limit))
  const [tasks, events, goals, known, screenTime] = await Promise.all([
    limited(tasksLimitMs, (limit) => openTasks(services, limit, signal)),
    limited(limitMs, (limit) => latestEvents(services, limit)),
    source(services.knowledge),
    source(services.known),
    source(services.screenTime),
  ])
  signal.throwIfAborted()
  const sections = [
    section('Tasks', tasks.text),
    section('Recently proposed', briefHistory(events, now)),
    section('Goals', goals),
    section('What is known of the person', known),
    section('Screen time', screenTime),
  ]
  return {
    text: [moment(now), ...sections].filter((text) => text !== '').join('\n'),
    listed: tasks.titles,
    remembered: rememberedProposals(events),
  }
}

/** `It is Friday, 2026-06-05, 10:15.`: where the person is. */
function moment(now: Date): string {
  const time = [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  return `It is ${now.toLocaleDateString('en', { weekday: 'long' })}, ${localDay(now)}, ${time}.\n`
}

function section(heading: string, text: string): string {
  const body = text.trim()
  return body === '' ? '' : `## ${heading}\n${body}\n`
}

/** A list that takes longer than `limit` is read on until `signal` aborts: a tool that keeps it for a while has it for the next brief. */
async function openTasks(
  { tasks, log }: Pick<Services, 'tasks' | 'log'>,
  limit: AbortSignal,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly titles: readonly string[] | undefined }> {
  let missing = ''
  const onMissing = (): void => {
    missing = '\nSome of the tasks could not be read.'
  }
  const work = attempt(() => tasks.list({ limit: MOST_TASKS, signal, onMissing }))
  const list = await untilAborted<readonly Task[] | Error>(work, limit, new Error('no answer in time'))
  if (Array.isArray(list)) {
    const given = (list as readonly Task[]).slice(0, MOST_TASKS)
    return { text: given.map(taskLine).join('\n') + missing, titles: given.map(({ title }) => title) }
  }
  // The proposer learns that there may be some.
  log?.(printable(`offscreen: tasks unavailable (${reason(list)}); going on without them`))
  return { text: 'The list of tasks could not be read.', titles: undefined }
}

function taskLine({ title, due, scheduled, project }: Task): string {
  const details = [
    ...(due === undefined ? [] : [`due ${due}`]),
    ...(scheduled === undefined || due !== undefined ? [] : [`scheduled ${scheduled}`]),
    ...(project === undefined ? [] : [`project ${boundedLine(project.replace(/[()]/g, ' '), TITLE_LIMIT)}`]),
  ]
  return `- ${boundedLine(title, TITLE_LIMIT)}${details.length === 0 ? '' : ` (${details.join(', ')})`}`
}

/** One read for all questions: what is asked for separately may be of two moments, and takes thrice as long. */
async function latestEvents({ memory, log }: Pick<Services, 'memory' | 'log'>, signal: AbortSignal): Promise<readonly KeelEvent[]> {
  if (memory === undefined) return []
  const events = await untilAborted<readonly KeelEvent[] | Error>(
    attempt(() => memory.latest(signal)),
    signal,
    new Error('no answer in time'),
  )
  if (Array.isArray(events)) return events
  // Without outcomes every proposal would look as if it was left alone: rather no history at all.
  log?.(printable(`offscreen: memory read: ${reason(events)}; going on without history`))
  return []
}

async function sourceText(source: KnowledgeSource, signal: AbortSignal): Promise<string> {
  const text = await untilAborted<string | Error>(
    attempt(() => source.text(signal)),
    signal,
    '',
  )
  // A source never throws, and says itself what stands in its way.
  if (typeof text !== 'string') return ''
  const bounded = new TextDecoder().decode(cutAtLine(new TextEncoder().encode(text), SECTION_LIMIT))
  // Sections are told apart by headings of this level.
  return bounded.replace(/^ {0,3}#{1,2}(?=\s)/gm, '###')
}

/** Its error in place of a rejection: nobody may be waiting any more when it comes. */
async function attempt<Result>(work: () => Promise<Result>): Promise<Result | Error> {
  try {
    return await work()
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}
