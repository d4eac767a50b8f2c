/** The wrapper that WorkBuddy puts around every Node.js program: deletions go to a trash, and fail. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

const WRAPPER = `
const fs = require('node:fs')
const refuse = () => { throw new Error('[safe-delete] the deletion was aborted') }
for (const name of ['unlink', 'unlinkSync', 'rm', 'rmSync', 'rmdir', 'rmdirSync']) fs[name] = refuse
fs.promises.unlink = fs.promises.rm = fs.promises.rmdir = async () => refuse()
`

/** Where to `--require` it from; in this folder. */
export function noDeleting(folder: string): string {
  const path = join(folder, 'no-deleting.cjs')
  writeFileSync(path, WRAPPER)
  return path
}
