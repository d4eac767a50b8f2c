/** What a run of `bridge` did, for people: what was read, what was learned from it line by line, what waits. */
import type { BridgeReport } from '../bridging/bridge.ts'
import type { CommitReport } from '../bridging/commit.ts'
import type { FileChange } from '../bridging/mirror-changes.ts'
import type { PrepareReport } from '../bridging/prepare-report.ts'
import { plural } from '../util/plural.ts'
import { printable } from '../util/printable.ts'
import { commitText } from './verbs/commit.ts'
import { badText, redactedText } from './verbs/prepare.ts'

/** Of the lines that changed; the rest is counted. */
const MOST_LINES = 24
/** At a terminal a line of memory is one line; what a program or a file gets is whole. */
const WIDTH = 110

export function bridgeText(report: BridgeReport, isTerminal = false): string {
  const width = isTerminal ? WIDTH : Number.POSITIVE_INFINITY
  const { outcome, prepared, committed, leftovers, changes } = report
  const lines: string[] = []
  if (leftovers !== undefined) lines.push(`From the run before this one: ${commitText(leftovers).trimEnd()}`)
  if (outcome === 'running') lines.push(`Nothing done: ${printable(report.reason ?? 'another run is at work.')}`)
  else if (outcome === 'nothing') lines.push('No session has anything new.')
  else if (prepared !== undefined) lines.push(readText(prepared, report.executor))
  lines.push(...(prepared?.bad ?? []).map(badText))
  if (prepared !== undefined && redactedText(prepared.redacted) !== '') lines.push(redactedText(prepared.redacted))
  if (committed !== undefined && prepared !== undefined) {
    const failed = committed.unfinished === prepared.sessions.length
    lines.push(
      ...(failed && changes.length === 0 ? [] : learnedLines(report, prepared, width)),
      ...kept(report),
      sessionsText(prepared, committed),
    )
  }
  return `${lines.join('\n')}\n`
}

function readText({ sessions }: PrepareReport, executor: string | undefined): string {
  const sum = (count: (session: PrepareReport['sessions'][number]) => number): number => sessions.reduce((all, one) => all + count(one), 0)
  const days = sessions
    .flatMap(({ from, to }) => [from, to])
    .filter((time) => time !== undefined)
    .map((time) => time.slice(0, 10))
    .sort()
  const when = [...new Set([days[0], days.at(-1)])].filter((day) => day !== undefined).join(' to ')
  const parts = [
    plural(
      sum(({ messages }) => messages),
      'message',
    ),
    plural(
      sum(({ tools }) => tools),
      'tool record',
    ),
    when,
  ]
  return `Read: ${plural(sessions.length, 'session')} (${parts.filter((part) => part !== '').join(', ')}), executor ${executor ?? 'none'}.`
}

function learnedLines({ changes, executor, worked }: BridgeReport, { sessions }: PrepareReport, width: number): string[] {
  if (changes.length === 0 && executor === 'builtin' && worked?.learned?.length === 0) {
    const messages = sessions.reduce((all, session) => all + session.messages, 0)
    return [
      `Learned: nothing. The built-in rules understood no statement in ${plural(messages, 'message')}; a model learns more (--executor).`,
    ]
  }
  if (changes.length === 0) return ['Learned: nothing that was not known.']
  const all = changes.flatMap((change) => changeLines(change, width))
  const more = all.length - MOST_LINES
  return ['Learned:', ...all.slice(0, MOST_LINES), ...(more > 0 ? [`  … and ${plural(more, 'line')} more`] : [])]
}

/** A skill is known by what it is for; its steps are many. */
function changeLines({ track, name, isNew, description, added, removed }: FileChange, width: number): string[] {
  const row = (start: string, line: string): string => cut(start + printable(line), width)
  const title = `${track}/${name}${isNew ? ' (new)' : ''}`
  if (track !== 'memory') return [row('  ', description === '' ? title : `${title}: ${description}`)]
  return [row('  ', title), ...added.map((line) => row('    + ', bare(line))), ...removed.map((line) => row('    - ', bare(line)))]
}

function bare(line: string): string {
  return line.replace(/^[-*] /, '')
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

/** What needs a person's eye, as `commit` says it, and the documents. */
function kept({ committed }: BridgeReport): string[] {
  if (committed === undefined) return []
  const { resources, forgotten } = committed
  const [, ...rest] = commitText(committed).trimEnd().split('\n')
  return [
    ...(resources === 0 ? [] : [`Documents described: ${resources}.`]),
    ...(forgotten.length === 0 ? [] : [`Files removed: ${forgotten.length}.`]),
    ...rest,
  ]
}

/** Sessions, counted once: those with something new, of which some are finished, and those that no run has looked at yet. */
function sessionsText({ sessions, waiting }: PrepareReport, { continued, unfinished }: CommitReport): string {
  const more = continued === 0 ? '' : `, ${continued} read in part and gone on with in a later run`
  const left = unfinished === 0 ? '' : `, ${unfinished} not finished and left for the next run`
  const untouched = waiting - sessions.filter(({ continues }) => continues).length
  const later = untouched === 0 ? '' : ` Waiting for a later run: ${untouched}.`
  return `Sessions finished: ${sessions.length - continued - unfinished} of ${sessions.length}${more}${left}.${later}`
}
