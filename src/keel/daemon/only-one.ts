/** One daemon for a user: its lock, and who has it. */
import { dirname, join } from 'node:path'
import { MemuError, reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { defaultStoreFile } from '../memory/place.ts'
import { type Lease, leaseHolder, takeLease } from './lease.ts'
import { alreadyRunning, silentlyRunning } from './listen.ts'

export interface LeaseOptions {
  readonly system: System
  /** Of the page. */
  readonly url: string
  readonly log: (line: string) => void
  /** The lock was taken away, and another daemon has a new one by now: this one has to end, for that reason. */
  readonly onTaken: (error: MemuError) => void
  /** Milliseconds between two looks at the lock. */
  readonly everyMs?: number
}

/** Two daemons would offer the same proposal: neither may go on for long beside the other one. */
const LOOK_EVERY_MS = 5_000

/**
 * Held until `release`, and taken anew where somebody takes it away. Undefined where there can be none: the daemon is worth more than the
 * guard. Errors: `already_running`, `no_home`.
 */
export function leaseOf(options: LeaseOptions): Pick<Lease, 'release'> | undefined {
  const { system, url, log, onTaken, everyMs = LOOK_EVERY_MS } = options
  let lease = tryLease(system, url, log)
  if (lease === undefined) return undefined
  if (lease.heldBy !== undefined) throw alreadyRunning(lease.heldBy)
  let isSaid = false
  const say = (line: string): void => {
    if (!isSaid) log(line)
    isSaid = true
  }
  const timer = setInterval(() => {
    if (lease?.isThere() !== false) return
    const next = tryLease(system, url, say)
    if (next?.heldBy !== undefined) {
      clearInterval(timer)
      onTaken(alreadyRunning(next.heldBy))
    } else if (next !== undefined) {
      lease.release()
      lease = next
      isSaid = false
      log(printable(`keeld: ${leaseFile(system)} was taken away; it is made and held anew`))
    }
  }, everyMs).unref()
  return {
    release() {
      clearInterval(timer)
      lease?.release()
    },
  }
}

/** What has the port and does not speak may still be ours: the lock says so. */
export function holderInstead(error: unknown, port: number, system: System): unknown {
  if (!(error instanceof MemuError) || error.code !== 'port_taken') return error
  const holder = leaseHolder(leaseFile(system))
  return holder?.url.endsWith(`:${port}`) ? silentlyRunning(holder) : error
}

function leaseFile(system: System): string {
  return join(dirname(defaultStoreFile(system)), 'keeld.lock')
}

function tryLease(system: System, url: string, log: (line: string) => void): Lease | undefined {
  const file = leaseFile(system)
  try {
    return takeLease(file, { pid: process.pid, url, since: system.now().toISOString() })
  } catch (error) {
    log(printable(`keeld: cannot lock ${file}, so a second one would not be kept out (${reason(error)})`))
    return undefined
  }
}
