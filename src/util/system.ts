/**
 * The outside world as one small object: environment, home, clock, network and processes come in through it, so that a
 * test gives its own and nothing is mocked by module name.
 */
import type * as childProcess from 'node:child_process'
import { homedir } from 'node:os'
import { isAbsolute } from 'node:path'

export interface System {
  readonly env: Readonly<Record<string, string | undefined>>
  /** The user's home directory; `~/.memu` lies in it. */
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
    home: homedir(),
    cwd: workingDirectory(),
    platform: process.platform,
    now: () => new Date(),
    fetch: (...args) => globalThis.fetch(...args),
    processes: () => process.getBuiltinModule('node:child_process') as typeof childProcess,
  }
}

/** Node.js throws where the directory is gone; only relative paths need one, and most runs have none. */
function workingDirectory(): string {
  try {
    return process.cwd()
  } catch {
    const shells = process.env.PWD
    return shells !== undefined && isAbsolute(shells) ? shells : homedir()
  }
}
