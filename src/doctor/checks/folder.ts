/** The folders that memU writes: its own, and the hosts' working trees. Asks for the right to write, and writes nothing. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { systemFailure } from '../../util/system-failure.ts'
import { type Check, type CheckContext, type Finding, fail, ok } from '../check.ts'

/** As `fs.accessSync`; given by tests. */
export type Access = (path: string, mode: number) => void

const { R_OK, W_OK, X_OK } = fs.constants
/** One cause, such as a run under sudo, makes many of them; they share their remedy. */
const SHOWN = 3

export function checkFolders(access: Access = fs.accessSync): Check<Pick<CheckContext, 'system' | 'hosts'>> {
  return {
    name: 'folder',
    run({ system, hosts }) {
      const own = join(system.home, '.memu')
      const troubles = new Map<string, Finding>()
      for (const folder of new Set([own, ...hosts.map((host) => host.baseDir(system))])) {
        const itself = troubleWith(folder, true, access)
        // What lies in a folder that cannot be used has the same trouble.
        const found = itself === undefined ? inside(folder).map((path) => troubleWith(path, false, access)) : [itself]
        for (const trouble of found) if (trouble !== undefined) troubles.set(trouble.what, trouble)
      }
      return troubles.size === 0 ? [ok(`${own} can be written.`)] : [...troubles.values()].slice(0, SHOWN)
    },
  }
}

export const folderCheck = checkFolders()

/** What lies in a folder itself, links followed. */
function inside(folder: string): string[] {
  try {
    return fs.readdirSync(folder).map((name) => join(folder, name))
  } catch {
    return [] // Not there yet, or not to be listed: asking for its rights says which.
  }
}

/** A folder is written into, a file replaced: of a file only reading is asked. */
function troubleWith(path: string, mustBeFolder: boolean, access: Access): Finding | undefined {
  let isFolder = mustBeFolder
  try {
    const found = fs.statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return mustBeFolder ? absent(path, access) : undefined
    if (mustBeFolder && !found.isDirectory()) return fail(`${path} is a file where a folder is needed.`, 'Move it out of the way.')
    isFolder = found.isDirectory()
    access(path, isFolder ? R_OK | W_OK | X_OK : R_OK)
    return undefined
  } catch (error) {
    const refused = systemFailure(error, isFolder ? 'write into' : 'read')
    if (refused?.hint === undefined) throw error
    return fail(refused.message, refused.hint)
  }
}

/** It will be made in the folder above, which has to let that happen. */
function absent(path: string, access: Access): Finding | undefined {
  const isLink = fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined
  return isLink ? fail(`${path} is a link to nowhere.`, 'Make what it names, or remove it.') : troubleWith(dirname(path), true, access)
}
