/** Amazing Marvin by its public API, with the token of limited access. */

import { localDay } from '../../util/local-day.ts'
import { pause } from '../../util/retry.ts'
import type { System } from '../../util/system.ts'
import { withCachedLists } from './cached-list.ts'
import { unavailable } from './failures.ts'
import { inTurns } from './in-turns.ts'
import { taskFrom } from './record.ts'
import { createAt, getFrom, type RestService } from './rest.ts'
import type { Task, TaskList } from './task-list.ts'
import { MOST_TASKS, newTitle } from './task-text.ts'

export interface MarvinRestOptions {
  readonly token: string
  readonly system: Pick<System, 'fetch' | 'now' | 'env'>
  /** For tests. */
  readonly url?: string
  readonly timeLimits?: RestService['timeLimits']
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

const URL_OF_MARVIN = 'https://serv.amazingmarvin.com/api'
/** Marvin allows one new item a second. */
const BETWEEN_CREATES_MS = 1_000

/** Asks nothing yet. Lists are kept for a minute; new tasks wait until a second after the last one. */
export function marvinRest({ token, system, url = URL_OF_MARVIN, timeLimits, sleep = pause }: MarvinRestOptions): TaskList {
  const service: RestService = {
    name: 'Marvin',
    url,
    key: token,
    keyHeader: 'x-api-token',
    keyHint: 'Copy the API token from Marvin again into KEEL_MARVIN_TOKEN: it ends in =, which is often lost.',
    system,
    ...(timeLimits === undefined ? {} : { timeLimits }),
  }
  let nextCreate = 0
  const source = {
    name: service.name,
    lists: () =>
      [`todayItems?date=${localDay(system.now())}`, 'dueItems'].map((path) => (signal: AbortSignal) => one(service, path, signal)),
    async create(title: string, { signal }: { readonly signal: AbortSignal }) {
      const text = newTitle(title, service.name)
      signal.throwIfAborted()
      const now = system.now()
      const wait = Math.min(Math.max(nextCreate - now.getTime(), 0), BETWEEN_CREATES_MS)
      nextCreate = now.getTime() + wait + BETWEEN_CREATES_MS
      if (wait > 0) await sleep(wait, signal)
      // Minutes east of Greenwich; JavaScript counts them the other way.
      const body = { title: text, done: false, timeZoneOffset: 0 - now.getTimezoneOffset() }
      // Without this header Marvin reads `#Category` out of the text, and a task with an unknown one is shown nowhere.
      const made = await createAt(service, 'addTask', { body, headers: { 'x-auto-complete': 'false' }, signal })
      const id = taskFrom(made)?.id
      return id === undefined ? {} : { id }
    },
  }
  return withCachedLists(source, system)
}

async function one(service: RestService, path: string, signal: AbortSignal): Promise<Task[]> {
  const answer = await getFrom(service, path, signal)
  if (!Array.isArray(answer)) throw unavailable(service.name, 'its answer is not a list')
  return inTurns(answer, taskFrom, MOST_TASKS)
}
