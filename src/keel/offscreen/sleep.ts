/** Tells when a sleeping proposal wakes. Whether it sleeps is for the clock to say: timers stand still while a machine does. */
export interface Sleep {
  /** Forgets what it waited for. */
  until(time: Date | undefined): void
}

export function newSleep(now: () => Date, onWake: () => void): Sleep {
  let timer: NodeJS.Timeout | undefined
  return {
    until(time) {
      clearTimeout(timer)
      // It keeps no process alive.
      if (time !== undefined) timer = setTimeout(onWake, Math.max(time.getTime() - now().getTime(), 0)).unref()
    },
  }
}
