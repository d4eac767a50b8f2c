/** The programs that a daemon has started: it does not end before them, so that none is left behind. */
import type * as childProcess from 'node:child_process'
import { setImmediate } from 'node:timers/promises'
import type { System } from '../../util/system.ts'

export interface TrackedPrograms {
  /** The same system; what is spawned through it is known. */
  readonly system: System
  /** Resolves when none runs any more. */
  ended(): Promise<void>
  /** Ends all of them at once, with what they started in their own process groups. */
  kill(): void
}

/** Programs that are run to their end in one call (`spawnSync`) need no tracking. */
export function trackPrograms(system: System): TrackedPrograms {
  const running = new Map<childProcess.ChildProcess, Promise<void>>()

  function spawn(...args: Parameters<typeof childProcess.spawn>): childProcess.ChildProcess {
    const child = system.processes().spawn(...args)
    const end = new Promise<void>((resolve) => {
      child.once('close', () => resolve())
      child.once('error', () => resolve()) // It did not even start.
    }).finally(() => running.delete(child))
    running.set(child, end)
    return child
  }

  return {
    system: { ...system, processes: () => ({ ...system.processes(), spawn: spawn as typeof childProcess.spawn }) },
    async ended() {
      while (running.size > 0) await Promise.all(running.values())
      // Who waited for a program cleans up behind it first.
      await setImmediate()
    },
    kill() {
      for (const child of running.keys()) killWithGroup(child, system)
    },
  }
}

/** A program that leads a group of its own is ended with it. */
function killWithGroup(child: childProcess.ChildProcess, { platform, processes }: Pick<System, 'platform' | 'processes'>): void {
  // One that has ended was swept with its group, and its number may be another's by now.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  if (platform === 'win32') {
    processes().spawnSync('taskkill', ['/pid', String(child.pid), '/t', '/f'], { windowsHide: true })
    return
  }
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL') // It leads no group.
  }
}
