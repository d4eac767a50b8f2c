/**
 * Takes over where the Python memU left off. It counted lines; a source's cursor is its own secret. So the source reads a copy of
 * the lines that were seen, and the cursor it gives for them fits the whole file too, which begins with the same bytes.
 */
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import type { SessionRef, SourceCursor, TranscriptSource } from '../hosts/transcript-source.ts'
import { makeDirectory } from '../util/fs.ts'
import { clearFolder } from './done.ts'

const CHUNK = 1024 * 1024
const NEWLINE = 0x0a

/**
 * The cursor after the first `lines` non-blank lines of a session, or undefined where it does not have that many: it was replaced
 * since, and is read from its start. A last line without its newline counted for the Python memU, and does not here: it was
 * half a record then.
 */
export async function cursorAfterLines(
  source: TranscriptSource,
  session: SessionRef,
  lines: number,
  directory: string,
  signal?: AbortSignal,
): Promise<SourceCursor | undefined> {
  const copy = join(directory, basename(session.path)) // Some sources read the session's id off the name.
  makeDirectory(directory)
  try {
    if (!copyLines(session.path, copy, lines)) return undefined
    const { size, mtimeMs } = fs.statSync(copy)
    const seen = await source.read({ ...session, path: copy, size, modified: mtimeMs }, undefined, () => {}, signal)
    return seen.cursor
  } finally {
    clearFolder(directory, () => true)
  }
}

/** Copies up to the end of the last whole line of the first `lines`; false where there are fewer. */
function copyLines(from: string, to: string, lines: number): boolean {
  const [input, output] = [fs.openSync(from, 'r'), fs.openSync(to, 'w', 0o600)]
  const buffer = Buffer.allocUnsafe(CHUNK)
  let left = lines
  let blank = true
  let whole = 0
  let position = 0
  try {
    for (let read = fs.readSync(input, buffer); read > 0 && left > 0; read = fs.readSync(input, buffer)) {
      fs.writeSync(output, buffer, 0, read)
      for (let at = 0; at < read && left > 0; at++) {
        const byte = buffer[at] ?? 0
        if (byte !== NEWLINE) blank &&= byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
        else {
          if (!blank) left--
          blank = true
          whole = position + at + 1
        }
      }
      position += read
    }
    fs.ftruncateSync(output, whole)
    return left === 0 || (left === 1 && !blank)
  } finally {
    fs.closeSync(input)
    fs.closeSync(output)
  }
}
