/** A system for tests: the real one, with an environment of its own. */
import { delimiter, dirname } from 'node:path'
import { realSystem, type System } from '../../../src/util/system.ts'

/** Programs are looked for in `folders`, then where Node.js is. */
export function testSystem(folders: readonly string[] = [], env: Readonly<Record<string, string>> = {}): System {
  return {
    ...realSystem(),
    env: { PATH: [...folders, dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), HOME: '/nowhere', ...env },
  }
}
