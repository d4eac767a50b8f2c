/** What one job shows a model: the session in parts that fit, and the mirror files that matter for it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isMemoryFileName } from '../../../markdown/file-names.ts'
import { parseMemoryText } from '../../../markdown/front-matter.ts'
import { stem } from '../../../text/stem.ts'
import { isStopWord } from '../../../text/stop-words.ts'
import { systemCode } from '../../../util/errors.ts'
import { openSlice } from '../slice-reader.ts'

export interface MirrorFile {
  /** As the model sees and returns it: `memory/shop-facts.md`. */
  readonly path: string
  readonly text: string
  /** `name: description`, for the list of all files. */
  readonly title: string
}

/** The slice as text in parts of at most `budget` characters, cut between records; a longer record is cut itself. */
export async function* sliceParts(path: string, budget: number): AsyncGenerator<string> {
  const { header, lines } = await openSlice(path)
  const head = `${JSON.stringify(header)}\n`
  let part = ''
  for await (const line of lines) {
    for (const text of cut(JSON.stringify(line), budget - head.length - 1)) {
      if (part !== '' && head.length + part.length + text.length + 1 > budget) {
        yield head + part
        part = ''
      }
      part += `${text}\n`
    }
  }
  if (part !== '') yield head + part
}

function cut(text: string, size: number): string[] {
  if (text.length <= size) return [text]
  const pieces: string[] = []
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size))
  return pieces
}

/** The files of a track, those in `written` as they will be. Unreadable ones are left out, and so are never changed. */
export function mirrorFiles(track: 'memory' | 'skill', directory: string, written: ReadonlyMap<string, string>): MirrorFile[] {
  const names = new Set([...entries(directory), ...[...written.keys()].map((path) => path.slice(directory.length + 1))])
  return [...names].sort().flatMap((name) => {
    const text = written.get(join(directory, name)) ?? readIfPlain(join(directory, name))
    const parsed = text === undefined ? undefined : parseMemoryText(text)
    if (text === undefined || parsed?.ok !== true) return []
    return [{ path: `${track}/${name}`, text, title: `${track}/${name}: ${parsed.file.description ?? ''}` }]
  })
}

/** The files that share most words with the session, within `budget` characters, in their own order. */
export function relevantFiles(files: readonly MirrorFile[], session: string, budget: number): MirrorFile[] {
  const words = wordsOf(session)
  const ranked = files
    .map((file) => ({ file, shared: [...wordsOf(file.text)].filter((word) => words.has(word)).length }))
    .sort((a, b) => b.shared - a.shared)
  const chosen = new Set<MirrorFile>()
  let left = budget
  for (const { file, shared } of ranked) {
    if (shared === 0 || file.text.length > left) continue
    chosen.add(file)
    left -= file.text.length
  }
  return files.filter((file) => chosen.has(file))
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_-]{3,40}/gu) ?? []
  return new Set(words.filter((word) => !isStopWord(word)).map(stem))
}

function entries(directory: string): string[] {
  try {
    return readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isFile() && isMemoryFileName(entry.name))
      .map((entry) => entry.name)
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [] // Nothing was mirrored yet.
    throw error
  }
}

function readIfPlain(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined // Vanished or unreadable: the model does not see it, and commit reports it.
  }
}
