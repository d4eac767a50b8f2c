/**
 * The outside world as one small object: environment, home, clock, network and processes come in through it, so that a
 * test gives its own and nothing is mocked by module name.
 */
import type * as childProcess from 'node:child_process'
import { homedir, userInfo } from 'node:os'
import { isAbsolute } from 'node:path'
import { MemuError } from './errors.ts'

export interface System {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home directory, absolute; `~/.memu` lies in it. Errors: `no_home` (exit 2) where nothing names one. */
  readonly home: string
  /** Absolute. Where it was deleted meanwhile: the path it had, so that a relative path still means what it meant. */
  readonly cwd: string
  readonly platform: NodeJS.Platform
  now(): Date
  readonly fetch: typeof globalThis.fetch
  /** `node:child_process`, loaded on first use. Arguments are always an array: no shell strings. */
  readonly processes: () => typeof childProcess
}

export function realSystem(): System {
  return {
    env: process.env,
    get home() {
      return homeDirectory()
    },
    cwd: workingDirectory(),
    platform: process.platform,
    now: () => new Date(),
    fetch: (...args) => globalThis.fetch(...args),
    processes: () => process.getBuiltinModule('node:child_process') as typeof childProcess,
  }
}

/** HOME, or what the system knows of the user where that is empty or relative: else every project that one works in would be a home. */
function homeDirectory(): string {
  try {
    const home = homedir()
    const known = isAbsolute(home) ? home : userInfo().homedir
    if (isAbsolute(known)) return known
  } catch {
    // A user that the system does not know.
  }
  throw new MemuError('no_home', 'There is no home directory: HOME names none, and the system knows none of this user.', {
    hint: 'Set HOME to an absolute path.',
    exit: 2,
  })
}

/** Node.js throws where the directory is gone; only relative paths need one, and most runs have none. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    const shells = process.env.PWD
    return shells !== undefined && isAbsolute(shells) ? shells : homeDirectory()
  }
}
