/** Goals from the user's own file, read anew for each brief where it has changed. */
import { constants } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { reason, systemCode } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import { checkOpened, notesPath, refuseSecondName } from './notes.ts'
import type { KnowledgeSource } from './source.ts'
import { decodedText, demoteHeadings, plainText } from './text.ts'

/** Bytes that are read: some 8,000 tokens, which is as much as a small model takes beside the rest of a brief. */
export const FILE_LIMIT = 32 * 1024

export interface FileSourceOptions {
  readonly log?: (line: string) => void
  /** The path comes from where only the user writes: it may lead anywhere. Else it may be one that the page has set. */
  readonly isTrusted?: boolean
}

/**
 * Markdown or plain text. An empty path is no file at all. A file that cannot be read is logged once, and again when the reason changes
 * or when it could be read in between.
 */
export function newFileSource(
  path: string,
  system: Pick<System, 'home'>,
  { log = () => {}, isTrusted = false }: FileSourceOptions = {},
): KnowledgeSource {
  if (path.trim() === '') return { text: async () => '' }
  const file = notesPath(path, system)
  let known: { readonly stamp: string; readonly text: string } | undefined
  let complaint: string | undefined

  const read = async (): Promise<string> => {
    let handle: FileHandle | undefined
    try {
      if (!isTrusted) await refuseSecondName(file)
      // Without waiting: a pipe that nobody writes to would hold every brief. Windows has no such flag, and no such pipes.
      handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
      const found = await handle.stat()
      if (!found.isFile()) throw new Error(found.isDirectory() ? 'it is a folder' : 'it is a pipe or a device, not a file')
      if (!isTrusted) await checkOpened(handle, file, { home: system.home, platform: process.platform })
      // The file itself as well: editors write a new one and give it the old name.
      const stamp = `${found.dev}:${found.ino}:${found.mtimeMs}:${found.size}`
      if (known?.stamp !== stamp) known = { stamp, text: await beginning(handle) }
      complaint = undefined
      return known.text
    } catch (error) {
      known = undefined
      const why = systemCode(error) === 'ENOENT' ? 'there is no such file' : reason(error)
      // What follows is a brief without goals.
      if (why !== complaint) log(printable(`knowledge: cannot read ${file} (${why}); going on without goals`))
      complaint = why
      return ''
    } finally {
      await handle?.close().catch(() => {}) // It was read, or the reason why not is known already.
    }
  }
  return { text: (signal) => untilAborted(read(), signal, '') }
}

async function beginning(handle: FileHandle): Promise<string> {
  const buffer = Buffer.alloc(FILE_LIMIT + 1)
  let length = 0
  // A read may give less than there is.
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return demoteHeadings(plainText(decodedText(buffer.subarray(0, length), FILE_LIMIT)))
}
