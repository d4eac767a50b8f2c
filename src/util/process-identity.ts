/** Tells a living process from one that is gone and from another that got the same number. */
import { readFileSync } from 'node:fs'
import { systemCode } from './errors.ts'

export function isRunning(pid: number): boolean {
  if (!Number.isSafeInteger(pid) || pid <= 0) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return systemCode(error) !== 'ESRCH' // EPERM: it runs as another user.
  }
}

/** A string that is equal only for the same start of the same process; undefined where the system does not tell cheaply (Windows). */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'linux') return linuxStart(pid)
  if (process.platform === 'darwin') return psStart(pid)
  return undefined
}

function linuxStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // Field 22, counted after the program's name, which may itself hold spaces and parentheses: ticks since boot.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    return ticks === undefined ? undefined : `${boot}:${ticks}`
  } catch {
    return undefined // No /proc: the caller falls back on the lock's age.
  }
}

function psStart(pid: number): string | undefined {
  const { spawnSync } = process.getBuiltinModule('node:child_process')
  const answer = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' } })
  return answer.status === 0 ? answer.stdout.trim() || undefined : undefined
}
