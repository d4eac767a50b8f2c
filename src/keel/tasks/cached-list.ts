/** A list that is asked for again within a minute is the same list, unless a task was added: some services count every query. */
import { reason } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import type { ListOptions, Task, TaskList } from './task-list.ts'
import { arranged } from './task-text.ts'

/** Amazing Marvin allows 1,440 queries a day. */
const FRESH_MS = 60_000

type Load = (signal: AbortSignal) => Promise<readonly Task[]>

interface Source extends Pick<TaskList, 'name' | 'create'> {
  /** What is to be asked; each is asked at the same time. */
  lists(): readonly Load[]
}

/**
 * The lists that could be had, one after the other; only all of them are remembered, until `create` is called or a list is wanted `fresh`.
 * Errors of `list`: that of the first list where none could be had. `create` is that of `source`.
 */
export function withCachedLists(source: Source, { now }: Pick<System, 'now'>): TaskList {
  let cached: { readonly tasks: readonly Task[]; readonly at: number } | undefined
  /** Which lists may be remembered: none that was begun before a task was added. */
  let age = 0
  const forget = (): void => {
    age++
    cached = undefined
  }

  async function load({ signal, fresh, onMissing }: Omit<ListOptions, 'limit'>): Promise<readonly Task[]> {
    const at = now().getTime()
    const begun = age
    // A clock that was set back does not keep a list for ever.
    if (!fresh && cached !== undefined && Math.abs(at - cached.at) < FRESH_MS) return cached.tasks
    const results = await Promise.allSettled(source.lists().map((one) => one(signal)))
    const had = results.filter((result) => result.status === 'fulfilled')
    const failed = results.filter((result) => result.status === 'rejected')
    if (had.length === 0) throw failed[0]!.reason
    const tasks = had.flatMap(({ value }) => value)
    if (failed.length > 0 && !signal.aborted) onMissing?.(reason(failed[0]!.reason))
    if (failed.length === 0 && age === begun) cached = { tasks, at }
    return tasks
  }

  return {
    name: source.name,
    list: async ({ limit, ...options }) => arranged(await load(options), limit),
    async create(title, options) {
      // Before, for what is read meanwhile; and behind it, however it ended: it may have done its work.
      forget()
      try {
        return await source.create(title, options)
      } finally {
        forget()
      }
    },
  }
}
