/** A list that is asked for again within a minute is the same list: some services count every query. */
import type { System } from '../../util/system.ts'
import type { Task } from './task-list.ts'

/** Amazing Marvin allows 1,440 queries a day. */
const FRESH_MS = 60_000

export function cachedList(
  load: (signal: AbortSignal) => Promise<readonly Task[]>,
  { now }: Pick<System, 'now'>,
): (signal: AbortSignal) => Promise<readonly Task[]> {
  let cached: { readonly tasks: readonly Task[]; readonly at: number } | undefined
  return async (signal) => {
    const at = now().getTime()
    // A clock that was set back does not keep a list for ever.
    if (cached !== undefined && Math.abs(at - cached.at) < FRESH_MS) return cached.tasks
    const tasks = await load(signal)
    // What was cut short may be half of it.
    if (!signal.aborted) cached = { tasks, at }
    return tasks
  }
}

/** The lists that could be had, one after the other. Throws what the first one threw where none could. */
export async function whatIsThere(lists: readonly Promise<readonly Task[]>[]): Promise<readonly Task[]> {
  const results = await Promise.allSettled(lists)
  const had = results.filter((result) => result.status === 'fulfilled')
  if (had.length === 0) throw (results[0] as PromiseRejectedResult).reason
  return had.flatMap(({ value }) => value)
}
