/** Looks a program up on PATH as a shell would. */
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join } from 'node:path'
import type { System } from './system.ts'

/**
 * The absolute path of the first executable file of that name, or undefined; an absolute path is that of itself alone. On Windows the
 * extensions of PATHEXT are tried.
 */
export function findProgram(name: string, { env, platform }: Pick<System, 'env' | 'platform'>): string | undefined {
  if (isAbsolute(name)) return isExecutable(name) ? name : undefined
  const directories = (env.PATH ?? env.Path ?? '').split(delimiter).filter((directory) => directory !== '')
  const extensions = platform === 'win32' ? (env.PATHEXT ?? '.EXE;.CMD;.BAT').split(';') : ['']
  for (const directory of directories) {
    for (const extension of extensions) {
      const path = join(directory, name + extension)
      if (isExecutable(path)) return path
    }
  }
  return undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // Not there, or not for us: the next directory may have it.
  }
}
