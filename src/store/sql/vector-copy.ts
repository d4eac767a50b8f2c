/**
 * Keeps a corpus' copy of its vector rows (sqlite/row-file.ts) in step with the tables. The table `vector_copies` says which file holds
 * how many rows; both change in the same transaction, under the write lock, so that a reader finds exactly what its snapshot says:
 *
 * - The rows it may read never change. A writer only appends; what changes an earlier row drops the copy, and the next commit makes a new
 *   one under another name.
 * - A rolled back append leaves the file longer than the table says; so does a database that was restored from a backup. A file that is not
 *   exactly as long as it should be is not appended to, but made anew.
 */
import { SLOT_CHUNK } from '../chunk.ts'
import { scanBuffer } from '../vectors/scan.ts'
import type { CorpusRow } from './corpora.ts'
import type { Driver } from './driver.ts'

/** Below so many rows the tables are as fast. */
const FEW_ROWS = 4096

interface Copy {
  readonly corpus: number
  readonly name: string
  readonly size: number
}

/** Brings the copy up to the tables. Inside a write transaction, after the vectors of the corpus were written. */
export async function extendVectorCopy(driver: Driver, corpus: CorpusRow, stride: number): Promise<void> {
  const files = driver.rowFiles
  if (files === undefined || corpus.next_slot < FEW_ROWS) return
  const copies = await driver.all<Copy>('select corpus, name, size from vector_copies')
  let copy = copies.find((one) => one.corpus === corpus.id)
  try {
    if (copy === undefined || files.size(copy.name) !== copy.size * stride) {
      const others = copies.filter((one) => one !== copy).map(({ name }) => name)
      copy = { corpus: corpus.id, name: files.create(others), size: 0 }
    }
    let size = copy.size
    for (let chunk = Math.floor(size / SLOT_CHUNK); chunk * SLOT_CHUNK < corpus.next_slot; chunk++) {
      const row = await driver.get<{ data: Uint8Array }>('select data from vector_chunks where corpus = ? and chunk = ?', [
        corpus.id,
        chunk,
      ])
      const first = chunk * SLOT_CHUNK
      const data = row?.data.subarray(Math.max(0, size - first) * stride)
      if (data === undefined || data.length === 0) continue
      const from = Math.max(size, first)
      files.write(copy.name, from * stride, data)
      size = from + data.length / stride
    }
    await driver.run(
      'insert into vector_copies (corpus, name, size) values (?, ?, ?) on conflict (corpus) do update set name = excluded.name, size = excluded.size',
      [corpus.id, copy.name, size],
    )
  } catch (error) {
    if (typeof (error as { syscall?: unknown }).syscall !== 'string') throw error
    // A full disk, a folder that cannot be written: the commit counts, and queries read the tables.
    await dropVectorCopy(driver, corpus.id)
  }
}

/** Rows from `slot` on are about to change: drops a copy that holds one of them. Inside a write transaction. */
export function dropVectorCopy(driver: Driver, corpus: number, slot = 0): Promise<void> {
  return driver.run('delete from vector_copies where corpus = ? and size > ?', [corpus, slot])
}

/** Gives the rows of the copy to `scan`, and says how many; 0 where there is no copy. Inside the snapshot of the query. */
export async function scanVectorCopy(
  driver: Driver,
  corpus: number,
  stride: number,
  scan: (rows: Uint8Array, first: number) => void,
): Promise<number> {
  if (driver.rowFiles === undefined) return 0
  const copy = await driver.get<Copy>('select corpus, name, size from vector_copies where corpus = ?', [corpus])
  if (copy === undefined) return 0
  const give = (rows: Uint8Array, position: number) => scan(rows, position / stride)
  return driver.rowFiles.read(copy.name, copy.size * stride, scanBuffer(stride), give) ? copy.size : 0
}
