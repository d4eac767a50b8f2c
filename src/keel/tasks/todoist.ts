/** Todoist by its API, version 1. */
import type { System } from '../../util/system.ts'
import { unavailable } from './failures.ts'
import { taskFrom } from './record.ts'
import { createAt, getFrom, type RestService } from './rest.ts'
import type { Task, TaskList } from './task-list.ts'
import { arranged, newTitle } from './task-text.ts'

export interface TodoistOptions {
  readonly token: string
  /** In Todoist's own words. Without one: what is due, then everything else. */
  readonly filter?: string
  readonly system: Pick<System, 'fetch' | 'now' | 'env'>
  /** For tests. */
  readonly url?: string
  readonly timeLimits?: RestService['timeLimits']
}

const URL_OF_TODOIST = 'https://api.todoist.com/api/v1'
const DUE = 'overdue | today'
/** Todoist gives no more at once. */
const PAGE_LIMIT = 200
/** A page may hold fewer tasks than were asked for; a brief has no time for more of them. */
const PAGES = 5

/** Asks nothing yet. Each list is asked for anew, at most five pages of 200. */
export function todoist({ token, filter, system, url = URL_OF_TODOIST, timeLimits }: TodoistOptions): TaskList {
  const service: RestService = {
    name: 'Todoist',
    url,
    key: token,
    keyHint: 'Copy the API token from Todoist (Settings, Integrations, Developer) again into KEEL_TODOIST_TOKEN.',
    system,
    ...(timeLimits === undefined ? {} : { timeLimits }),
  }
  return {
    name: service.name,
    async list({ limit, signal }) {
      // Todoist does not sort by day: the first that are due are known only among all that are.
      const filtered = (query: string, lang?: string) =>
        pages(service, 'tasks/filter', { query, ...(lang ? { lang } : {}) }, PAGE_LIMIT, signal)
      if (filter) return arranged(await filtered(filter), limit)
      const lists = [filtered(DUE, 'en'), pages(service, 'tasks', {}, limit, signal)]
      return arranged((await Promise.all(lists)).flat(), limit)
    },
    async create(title, { signal }) {
      // A star and a space in front would make it a heading that cannot be ticked off.
      const content = newTitle(newTitle(title, service.name).replace(/^[\s*]+(?=\s)/, ''), service.name)
      const id = taskFrom(await createAt(service, 'tasks', { body: { content }, signal }))?.id
      return id === undefined ? {} : { id }
    },
  }
}

async function pages(
  service: RestService,
  path: string,
  query: Readonly<Record<string, string>>,
  wanted: number,
  signal: AbortSignal,
): Promise<readonly Task[]> {
  const found: Task[] = []
  let cursor: string | undefined
  for (let page = 0; page < PAGES && found.length < wanted; page++) {
    const parameters = new URLSearchParams({ ...query, limit: String(Math.min(wanted, PAGE_LIMIT)), ...(cursor ? { cursor } : {}) })
    const answer = (await getFrom(service, `${path}?${parameters}`, signal)) as { results?: unknown; next_cursor?: unknown } | null
    if (!Array.isArray(answer?.results)) throw unavailable(service.name, 'its answer holds no list')
    found.push(...answer.results.slice(0, PAGE_LIMIT).flatMap((item) => taskFrom(item) ?? []))
    if (typeof answer.next_cursor !== 'string' || answer.next_cursor === '') break
    cursor = answer.next_cursor
  }
  return found
}
