/** Tries again what may work the next time, and waits as long as the other side asks for. */
export interface RetryOptions {
  /** Tries in all, the first one included. */
  readonly attempts?: number
  /** Milliseconds to wait after `error` before the next try, or undefined where another try is pointless. `attempt` counts from 1. */
  readonly wait: (error: unknown, attempt: number) => number | undefined
  readonly signal?: AbortSignal | undefined
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>
}

export const ATTEMPTS = 3
/** The longest wait that a server may ask for. */
export const RETRY_AFTER_CAP_MS = 30_000
const FIRST_BACKOFF_MS = 500

/** Throws what the last try threw, or the reason of `signal` as soon as it is aborted. */
export async function retry<Result>(work: (attempt: number) => Promise<Result>, options: RetryOptions): Promise<Result> {
  const { attempts = ATTEMPTS, wait, signal, sleep = pause } = options
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted()
    try {
      return await work(attempt)
    } catch (error) {
      signal?.throwIfAborted()
      const milliseconds = attempt < attempts ? wait(error, attempt) : undefined
      if (milliseconds === undefined) throw error
      await sleep(milliseconds, signal)
    }
  }
}

/** Half a second, then twice as long each time; up to half of it off, so that many clients do not come back together. */
export function backoff(attempt: number, random: () => number = Math.random): number {
  return FIRST_BACKOFF_MS * 2 ** (attempt - 1) * (1 - random() / 2)
}

/** `Retry-After` in milliseconds, from seconds or a date, at most 30 s; undefined where it is absent or unreadable. */
export function retryAfter(header: string | null, now: Date): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const seconds = Number(header)
  const milliseconds = Number.isNaN(seconds) ? Date.parse(header) - now.getTime() : seconds * 1000
  return Number.isNaN(milliseconds) ? undefined : Math.min(Math.max(milliseconds, 0), RETRY_AFTER_CAP_MS)
}

/** Rejects with the signal's reason when it is aborted. */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const stop = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
