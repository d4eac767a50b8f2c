/** What the parts of the mode share: where it stands, with what it works, and how it tells of a change. */
import { printable } from '../../util/printable.ts'
import { type Async, newAsync } from './async.ts'
import { type Choices, newChoices } from './choices.ts'
import { newRecorder, type Recorder } from './recorder.ts'
import type { Services } from './services.ts'
import { newSleep } from './sleep.ts'
import type { State } from './state.ts'

export interface ModeContext {
  readonly state: State
  readonly services: Services
  readonly choices: Choices
  readonly recorder: Recorder
  readonly background: Async
  now(): Date
  log(line: string): void
  /** Whoever calls it tells, sooner or later. */
  put(next: State): void
  /** And tells. */
  become(next: State): void
  use(services: Services): void
}

/** Nothing is proposed yet. `log` and `become` never throw, whatever the services do. */
export function newContext(initial: Services): ModeContext {
  let services = initial
  let state: State = { status: 'pending' }
  const now = (): Date => services.clock?.() ?? new Date()
  const notify = (): void => services.notify?.()
  const log = (line: string): void => {
    try {
      services.log?.(printable(line))
    } catch {
      // What follows a line of the log must not depend on it: there is nobody to whom its failure could be told.
    }
  }
  const background = newAsync(notify)
  const sleep = newSleep(now, notify)

  function put(next: State): void {
    state = next
    sleep.until(next.status === 'proposed' ? next.snoozedUntil : undefined)
  }

  return {
    get state() {
      return state
    },
    get services() {
      return services
    },
    choices: newChoices(),
    recorder: newRecorder(() => services, now, background),
    background,
    now,
    log,
    put,
    become(next) {
      put(next)
      notify()
    },
    use(next) {
      services = next
      notify()
    },
  }
}
