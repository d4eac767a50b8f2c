/** Finds what ships in the package beside the code (`model/`, `templates/`): nothing else may use the module's own path. */
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

let root: string | undefined

/** The directory that holds the package's `package.json`, whether the code runs from `src/`, `dist/` or a bundle. */
export function packageRoot(): string {
  if (root !== undefined) return root
  let at = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(at, 'package.json'))) {
    const parent = dirname(at)
    if (parent === at) throw new Error(`no package.json above ${fileURLToPath(import.meta.url)}`)
    at = parent
  }
  root = at
  return at
}

/** The path of a shipped file, for example `packageFile('model', 'words.bin')`. */
export function packageFile(...parts: string[]): string {
  return join(packageRoot(), ...parts)
}
