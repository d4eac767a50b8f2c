/** Memory files that a commit could not take stay in the mirror, where the next agent reads them: their secrets go all the same. */
import { fileNameFor, nameFromFile } from '../markdown/file-names.ts'
import { discardFile, writeFileAtomic } from '../util/fs.ts'
import type { FilesGate } from './files-gate.ts'
import type { Layout } from './layout.ts'
import { isThere, mirrorPath, readMirrorFile } from './mirror-files.ts'

/**
 * Takes the secrets out of these files, front matter and name included, so that a later commit can take what could not be taken for its
 * name. What is no text is left to its writer. `paths` are those of the mirror (`memory/a.md`).
 */
export function cleanHeld(tree: Layout, paths: readonly string[], { text }: Pick<FilesGate, 'text'>): void {
  for (const path of paths) {
    const read = readMirrorFile(tree, path)
    if (read?.ok !== true) continue
    const clean = text(read.text)
    const place = cleanPath(path, text)
    const moves = place !== path && !isThere(tree, place)
    if (clean === read.text && !moves) continue
    writeFileAtomic(mirrorPath(tree, moves ? place : path), clean)
    if (moves) discardFile(mirrorPath(tree, path))
  }
}

function cleanPath(path: string, text: FilesGate['text']): string {
  const [track = '', ...below] = path.split('/')
  const name = nameFromFile(below.join('/'))
  const clean = text(name)
  return clean === name ? path : `${track}/${fileNameFor(clean)}`
}
