/** Stores for benchmarks, built through the package and kept in bench/out while code and model stay the same. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { progress } from './measure.mjs'
import { root, temporaryFolder } from './package.mjs'
import { groups, memoryFiles } from './text.mjs'

export const STORE = 'memory.db'
/** Files a commit while a store is built. */
const FILES_A_COMMIT = 200

/** The folder of a store of so many segments; the store is `memory.db` in it. Copy the folder before you write to it. */
export async function storeOf(segments, installed) {
  const place = join(root, 'bench', 'out')
  const folder = join(place, `store-${segments}-${contentHash()}`)
  if (existsSync(folder)) return folder
  mkdirSync(place, { recursive: true })
  for (const name of readdirSync(place)) if (name.startsWith(`store-${segments}-`)) rmSync(join(place, name), { recursive: true })
  const unfinished = temporaryFolder(place)
  const memory = await openStore(installed, join(unfinished, STORE))
  try {
    for (const recall_files of groups(memoryFiles(segments), FILES_A_COMMIT)) await memory.commitResults({ recall_files })
  } finally {
    await memory.close()
  }
  renameSync(unfinished, folder)
  progress(`built ${folder}`)
  return folder
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
