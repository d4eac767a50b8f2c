/** A list that is asked for again within a minute is the same list: some services count every query. */
import { reason } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import type { ListOptions, Task } from './task-list.ts'

/** Amazing Marvin allows 1,440 queries a day. */
const FRESH_MS = 60_000

type Load = (signal: AbortSignal) => Promise<readonly Task[]>

/**
 * The lists that could be had, one after the other; only all of them are remembered. Throws what the first one threw where none could.
 * What is asked of each begins at the same time.
 */
export function cachedLists(
  begin: () => readonly Load[],
  { now }: Pick<System, 'now'>,
): (options: Pick<ListOptions, 'signal' | 'onMissing'>) => Promise<readonly Task[]> {
  let cached: { readonly tasks: readonly Task[]; readonly at: number } | undefined
  return async ({ signal, onMissing }) => {
    const at = now().getTime()
    // A clock that was set back does not keep a list for ever.
    if (cached !== undefined && Math.abs(at - cached.at) < FRESH_MS) return cached.tasks
    const results = await Promise.allSettled(begin().map((load) => load(signal)))
    const had = results.filter((result) => result.status === 'fulfilled')
    const failed = results.filter((result) => result.status === 'rejected')
    if (had.length === 0) throw failed[0]!.reason
    const tasks = had.flatMap(({ value }) => value)
    if (failed.length === 0) cached = { tasks, at }
    else if (!signal.aborted) onMissing?.(reason(failed[0]!.reason))
    return tasks
  }
}
