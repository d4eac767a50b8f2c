/** Stores for benchmarks, built through the package and kept in bench/out while code and model stay the same. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { progress } from './measure.mjs'
import { root } from './package.mjs'
import { groups, memoryFiles } from './text.mjs'

/** Files a commit while a store is built. */
const FILES_A_COMMIT = 200

/** The path of a store of so many segments. Copy it before you write to it. */
export async function storeOf(segments, installed) {
  const folder = join(root, 'bench', 'out')
  const path = join(folder, `store-${segments}-${contentHash()}.sqlite3`)
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) if (name.startsWith(`store-${segments}-`)) rmSync(join(folder, name))
  const unfinished = join(folder, `unfinished-${process.pid}.sqlite3`)
  const memory = await openStore(installed, unfinished)
  try {
    for (const recall_files of groups(memoryFiles(segments), FILES_A_COMMIT)) await memory.commitResults({ recall_files })
  } finally {
    await memory.close()
  }
  renameSync(unfinished, path)
  progress(`built ${path}`)
  return path
}

/** The engine of the installed package over a store file, with the embedded model. */
export function openStore({ library }, path) {
  return library.openLocal({ db: path })
}

/** Of everything that decides what a store holds: the built library, the word table, the text. */
function contentHash() {
  const hash = createHash('sha256')
  const library = join(root, 'dist')
  const chunks = readdirSync(join(library, 'chunks'))
    .filter((name) => name.endsWith('.js'))
    .map((name) => join(library, 'chunks', name))
  for (const file of [
    join(library, 'index.js'),
    ...chunks.sort(),
    join(root, 'model', 'words.bin'),
    join(root, 'bench', 'lib', 'text.mjs'),
  ]) {
    hash.update(readFileSync(file))
  }
  return hash.digest('hex').slice(0, 12)
}
