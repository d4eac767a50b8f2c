/** Where todo.sh keeps its file, so that both speak of the same one. */
import { statSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { findProgram } from '../../util/find-program.ts'
import { readTextIfExists } from '../../util/fs.ts'
import type { System } from '../../util/system.ts'
import { splitCommand } from './argv.ts'

/** As distributions name it. */
const PROGRAMS = ['todo.sh', 'todo-txt']
/** Upstream's, and Debian's. */
const OF_THE_MACHINE = ['/etc/todo/config', '/etc/todo-txt/config']

/**
 * `TODO_FILE`, or `todo.txt` in `TODO_DIR`; else where todo.sh's configuration says; else in the home. Of the last two the one that is
 * there. Reads a file or two, and never fails.
 */
export function todoTxtPlace(system: System): string {
  const { env, home } = system
  if (env.TODO_FILE) return env.TODO_FILE
  if (env.TODO_DIR) return join(env.TODO_DIR, 'todo.txt')
  const places = [...configuredPlace(system), join(home, 'todo.txt')]
  return places.find(isFile) ?? places.find((place) => isFolder(dirname(place))) ?? places.at(-1)!
}

/** The first of todo.sh's own configurations that is there. That of the machine says something only where the program is there as well. */
function configuredPlace(system: System): string[] {
  const { env, home } = system
  const users = [
    ...(env.TODOTXT_CFG_FILE ? [env.TODOTXT_CFG_FILE] : []),
    ...[join(home, '.todo', 'config'), join(home, 'todo.cfg'), join(home, '.todo.cfg')],
    join(env.XDG_CONFIG_HOME || join(home, '.config'), 'todo', 'config'),
  ]
  const isInstalled = PROGRAMS.some((program) => findProgram(program, system) !== undefined)
  const file = [...users, ...(isInstalled ? OF_THE_MACHINE : [])].find(isFile)
  const place = file === undefined ? undefined : placeIn(textOf(file), system)
  return place === undefined ? [] : [place]
}

/** It is a shell script, of which nothing is run: what is more than a path with the home or the folder in it says nothing here. */
export function placeIn(config: string, system: Pick<System, 'home' | 'platform'>): string | undefined {
  const known = new Map([['HOME', system.home]])
  for (const [, name, value] of config.matchAll(/^[ \t]*(?:export[ \t]+)?(TODO_DIR|TODO_FILE)=(.*)$/gm)) {
    const path = pathOf(value!, known, system)
    if (path !== undefined) known.set(name!, path)
  }
  const folder = known.get('TODO_DIR')
  return known.get('TODO_FILE') ?? (folder === undefined ? undefined : join(folder, 'todo.txt'))
}

function pathOf(value: string, known: ReadonlyMap<string, string>, system: Pick<System, 'home' | 'platform'>): string | undefined {
  try {
    const [word = ''] = splitCommand(value, system)
    const path = word.replace(/\$(?:\{(\w+)\}|(\w+))/g, (all, braced, bare) => known.get(braced ?? bare) ?? all)
    return isAbsolute(path) && !/[$`]/.test(path) ? path : undefined
  } catch {
    return undefined // A quote that goes on in the next line.
  }
}

function textOf(path: string): string {
  try {
    return readTextIfExists(path) ?? ''
  } catch {
    return '' // Not for us: as if it said nothing.
  }
}

/** Through links. Never throws: what may not be looked at is none. */
export function isFile(path: string): boolean {
  try {
    return statSync(path).isFile()
  } catch {
    return false // Not there, or not for us: another place may be.
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false // The same.
  }
}
