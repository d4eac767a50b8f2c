/**
 * Which files the page may name as notes. Their text is shown there and goes to a model: whoever reaches the page, as every account of this
 * machine may, must not read with it what is not meant for that.
 */
import { type FileHandle, readlink, realpath, stat } from 'node:fs/promises'
import { extname, isAbsolute, relative, resolve, sep } from 'node:path'
import { expandHome } from '../../util/home.ts'
import type { System } from '../../util/system.ts'

/** What people write their goals in. */
export const NOTES = ['.md', '.markdown', '.txt', '.org']

/** The absolute path of what a person wrote: from the home, wherever the program was started. */
export function notesPath(written: string, { home }: Pick<System, 'home'>): string {
  const path = written.trim().replace(/^\$(?:HOME|\{HOME\})(?=[\\/]|$)/, () => home)
  return resolve(home, expandHome(path, home))
}

/** By the path alone: a file of notes below `home`, in no folder that is hidden. Both are absolute. */
export function isNotes(file: string, home: string): boolean {
  const below = relative(home, file)
  // A part with a dot in front: outside of the home (`..`), or hidden. An absolute one: on another drive.
  return !isAbsolute(below) && below.split(sep).every((part) => !part.startsWith('.')) && NOTES.includes(extname(file).toLowerCase())
}

/**
 * A path that the page may name must lead to such a file as well, whatever links there are on its way, and were put there since. Any other
 * one was written into the file or the environment by its owner. Errors: a plain `Error` where `opened` lies elsewhere.
 */
export async function checkOpened(opened: FileHandle, file: string, { home, platform }: Pick<System, 'home' | 'platform'>): Promise<void> {
  if (!isNotes(file, home)) return
  const place = await placeOf(opened, file, platform)
  if (!isNotes(place, await realpath(home))) throw new Error(`it leads to ${place}, which the page may not show; its own path must be set`)
}

/**
 * Before it is opened: a file with a second name may be any file of its user's, one of Keel's own as well, whose locks would end with the
 * reading. Errors: a plain `Error`, or that of the file system.
 */
export async function refuseSecondName(file: string): Promise<void> {
  const found = await stat(file)
  if (found.isFile() && found.nlink > 1) throw new Error('it has a second name (a hard link), which may be no notes')
}

/** Of what was opened, and not of what has its name by now. */
async function placeOf(opened: FileHandle, file: string, platform: NodeJS.Platform): Promise<string> {
  // Only Linux says it of an open file.
  const known = platform === 'linux' ? await readlink(`/proc/self/fd/${opened.fd}`).catch(() => undefined) : undefined
  if (known !== undefined) return known
  const place = await realpath(file)
  const [there, here] = await Promise.all([stat(place, { bigint: true }), opened.stat({ bigint: true })])
  if (there.dev !== here.dev || there.ino !== here.ino) throw new Error('another file took its name while it was read')
  return place
}
