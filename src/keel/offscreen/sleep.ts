/** Tells when a sleeping proposal wakes. Whether it sleeps is for the clock to say: timers stand still while a machine does. */
export interface Sleep {
  /** Forgets what it waited for. */
  until(time: Date | undefined): void
}

/** Milliseconds between two looks at the clock: it may be set, and a timer has a longest time. */
const LOOK_MS = 60 * 60 * 1000

/** `onWake` is called once for each time that comes, never before it, and as late as the machine's own sleep makes it. */
export function newSleep(now: () => Date, onWake: () => void): Sleep {
  let timer: NodeJS.Timeout | undefined

  function until(time: Date | undefined): void {
    clearTimeout(timer)
    if (time === undefined) return
    const look = (): void => (time > now() ? until(time) : onWake())
    const left = time.getTime() - now().getTime()
    // It keeps no process alive.
    timer = setTimeout(look, Math.min(Math.max(left, 0), LOOK_MS)).unref()
  }

  return { until }
}
