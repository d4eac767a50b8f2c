/** The programs that a daemon has started: it does not end before them, so that none is left behind. */
import type * as childProcess from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import type { System } from '../../util/system.ts'

export interface TrackedPrograms {
  /** The same system; what is spawned through it is known. */
  readonly system: System
  /** Resolves when none runs any more. */
  ended(): Promise<void>
}

export function trackPrograms(system: System): TrackedPrograms {
  const running = new Set<Promise<void>>()

  function spawn(...args: Parameters<typeof childProcess.spawn>): childProcess.ChildProcess {
    const child = system.processes().spawn(...args)
    const end = new Promise<void>((resolve) => {
      child.once('close', () => resolve())
      child.once('error', () => resolve()) // It did not even start.
    }).finally(() => running.delete(end))
    running.add(end)
    return child
  }

  return {
    system: { ...system, processes: () => ({ ...system.processes(), spawn: spawn as typeof childProcess.spawn }) },
    async ended() {
      while (running.size > 0) await Promise.all(running)
      // Who waited for a program cleans up behind it first.
      await setImmediate()
    },
  }
}
