/** The end of a snooze, also on a page that is not seen: such a one holds no connection, and would hear of it only when somebody looks. */
import type { PageState } from './api.ts'

/** By that much a message of the daemon may come before the timer of this page. */
const EARLY_MS = 1_000
/** Milliseconds between two looks at the clock: timers stand still while a machine sleeps. */
const LOOK_MS = 60_000

export interface Alarm {
  /** Each state as it comes. */
  set(state: PageState): void
}

/** `onDue` is called once a snooze. */
export function newAlarm(onDue: () => void): Alarm {
  let timer: number | undefined
  let until: number | undefined
  let asleep = ''

  function due(): void {
    clear()
    onDue()
  }

  function look(): void {
    const left = until! - Date.now()
    if (left <= 0) due()
    else timer = window.setTimeout(look, Math.min(left, LOOK_MS))
  }

  function clear(): void {
    clearTimeout(timer)
    timer = until = undefined
  }

  return {
    set({ offscreen: { status, proposal, snoozedUntil } }) {
      const next = snoozedUntil === undefined ? undefined : Date.parse(snoozedUntil)
      if (next === until) return
      // The daemon was faster.
      const isOver = until !== undefined && next === undefined && status === 'proposed' && proposal?.id === asleep
      if (isOver && until! - Date.now() < EARLY_MS) return due()
      clear()
      if (next === undefined || next <= Date.now()) return
      until = next
      asleep = proposal?.id ?? ''
      look()
    },
  }
}
