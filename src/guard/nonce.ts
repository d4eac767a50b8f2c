/**
 * The nonce of this installation: what tells text that memU injected from text about memU. Anybody can write our tag; only this
 * installation knows the number in it.
 *
 * `~/.memu/nonce` holds one a line, 32 hexadecimal digits. The first one is used; the others are recognised too, so that a user who
 * moves logs between machines can add the other machine's line.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { discardFile, makeDirectory, readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import { requireHome } from '../util/home.ts'

/** 128 bits: nobody writes one by chance. */
const BYTES = 16
const NONCE = /^[0-9a-f]{32}$/
/** More machines than anybody moves logs between; a longer file is some other file. */
const MOST = 32

export function noncePath(home: string): string {
  return join(home, '.memu', 'nonce')
}

/** Every nonce that counts as ours, the own one first; none where nothing was ever injected. Errors: those of reading a file. */
export function knownNonces(home: string): readonly string[] {
  const lines = (readTextIfExists(noncePath(home)) ?? '').split('\n').map((line) => line.trim())
  return lines.filter((line) => NONCE.test(line)).slice(0, MOST)
}

/**
 * The nonce to wrap with, made on first use. Of programs that make it at once one wins and all return the winner's. A damaged file is
 * replaced: what it once said cannot be known. Errors: `no_home` (exit 2), and those of writing below `~/.memu`.
 */
export function ownNonce(home: string): string {
  const known = knownNonces(home)[0]
  if (known !== undefined) return known
  const path = noncePath(home)
  requireHome(home, path)
  const made = process.getBuiltinModule('node:crypto').randomBytes(BYTES).toString('hex') // Loaded here: most runs need none.
  createOnce(path, `${made}\n`)
  const winner = knownNonces(home)[0]
  if (winner !== undefined) return winner
  writeFileAtomic(path, `${made}\n`, { forceMode: true })
  return made
}

/** The same, or undefined where the home cannot be written: a mark must not stop what it would have marked. */
export function nonceIfPossible(home: string): string | undefined {
  try {
    return ownNonce(home)
  } catch {
    return undefined
  }
}

/** A file that is there whole or not at all, and never replaces another: a link to a finished one. */
function createOnce(path: string, text: string): void {
  makeDirectory(join(path, '..'))
  const finished = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}.tmp`
  fs.writeFileSync(finished, text, { mode: 0o600, flag: 'wx' })
  try {
    fs.linkSync(finished, path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'EEXIST') return
    // A file system without links (FAT, some network shares): two first runs in one instant may then each write theirs; the last stays.
    writeFileAtomic(path, text)
  } finally {
    discardFile(finished)
  }
}
