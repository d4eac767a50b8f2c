/** One daemon for a user: its lock, and who has it. */
import { dirname, join } from 'node:path'
import { MemuError, reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { defaultStoreFile } from '../memory/place.ts'
import { type Lease, leaseHolder, takeLease } from './lease.ts'
import { alreadyRunning, silentlyRunning } from './listen.ts'

/** Undefined where there can be none: the daemon is worth more than the guard. Errors: `already_running`, `no_home`. */
export function leaseOf(system: System, url: string, log: (line: string) => void): Lease | undefined {
  const lease = tryLease(system, url, log)
  if (lease?.heldBy === undefined) return lease
  throw alreadyRunning(lease.heldBy)
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
