/** Today's time at the screen, for a brief, as ActivityWatch's watchers saw it. */

import { hostname } from 'node:os'
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { timeLimit } from '../../util/time-limit.ts'
import type { AwClient } from '../aw/client.ts'
import type { KnowledgeSource } from '../knowledge/source.ts'
import { chooseWatchers, readAnswer, type ScreenTime, statements } from './query.ts'

/** Milliseconds for all of it. A day of events takes a tenth of that. */
export const SCREEN_TIME_LIMIT_MS = 2_000
/** Characters of a program's name. */
const NAME_LIMIT = 60

export interface ScreenTimeOptions {
  readonly aw: Pick<AwClient, 'buckets' | 'query'>
  readonly system: Pick<System, 'now'>
  readonly log?: (line: string) => void
  /** ActivityWatch is known to be away: it is not asked, and no brief waits for it. */
  readonly isAway?: () => boolean
  readonly limitMs?: number
  /** This machine's name; a test has its own. */
  readonly host?: string
}

/** `2 h 5 min today`, then a list of programs; nothing without a watcher, before the first minute, or on any failure, which is logged once. */
export function newScreenTime({
  aw,
  system,
  log = () => {},
  isAway = () => false,
  limitMs = SCREEN_TIME_LIMIT_MS,
  host = hostname(),
}: ScreenTimeOptions): KnowledgeSource {
  let complaint: string | undefined
  return {
    async text(signal) {
      if (isAway() || signal.aborted) return ''
      const limit = timeLimit(limitMs, signal)
      try {
        const text = described(await measure(aw, system.now(), host, limit.signal))
        complaint = undefined
        return text
      } catch (error) {
        if (signal.aborted) return ''
        const why = limit.isOver ? `no answer within ${limitMs / 1000} s` : reason(error)
        // What follows is a brief without screen time.
        if (why !== complaint) log(printable(`screen time: cannot be read (${why})`))
        complaint = why
        return ''
      } finally {
        limit.end()
      }
    },
  }
}

async function measure(aw: ScreenTimeOptions['aw'], now: Date, host: string, signal: AbortSignal): Promise<ScreenTime | undefined> {
  const watchers = chooseWatchers(await aw.buckets(signal), host)
  if (watchers === undefined) return undefined
  const midnight = new Date(now.getFullYear(), now.getMonth(), now.getDate())
  return readAnswer(await aw.query(midnight, now, statements(watchers), signal))
}

function described(found: ScreenTime | undefined): string {
  if (found === undefined || minutes(found.total) === 0) return ''
  const apps = found.apps.filter(({ seconds }) => minutes(seconds) > 0)
  return [`${duration(found.total)} today`, ...apps.map(({ name, seconds }) => `- ${appName(name)}: ${duration(seconds)}`)].join('\n')
}

/** Rounded: the servers' own rounding adds milliseconds. */
function minutes(seconds: number): number {
  return Math.round(seconds / 60)
}

export function duration(seconds: number): string {
  const whole = minutes(seconds)
  const hours = Math.floor(whole / 60)
  return [...(hours > 0 ? [`${hours} h`] : []), ...(whole % 60 > 0 || hours === 0 ? [`${whole % 60} min`] : [])].join(' ')
}

function appName(name: string): string {
  return [...printable(name)].slice(0, NAME_LIMIT).join('')
}
