/**
 * Copies of the vector index in files beside the database: rows back to back, read through one small buffer. SQLite hands out a
 * blob in fresh memory, and the first touch of 25 MB of that takes longer than everything else a query does.
 *
 * A copy is never the truth: whoever finds it missing or short reads the tables.
 */
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { discardFile } from '../../util/fs.ts'
import type { RowFiles } from '../sql/driver.ts'

/** Names as `create` makes them: a name comes back from the database, and must not lead elsewhere. */
const NAME = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function rowFiles(database: string): RowFiles {
  const prefix = `${database}-vectors-`
  const pathOf = (name: string): string | undefined => (NAME.test(name) ? prefix + name : undefined)

  return {
    create(keep) {
      const wanted = new Set(keep.map((name) => basename(prefix) + name))
      for (const entry of fs.readdirSync(dirname(database))) {
        if (!entry.startsWith(basename(prefix)) || wanted.has(entry)) continue
        if (NAME.test(entry.slice(basename(prefix).length))) discardFile(join(dirname(database), entry))
      }
      const name = process.getBuiltinModule('node:crypto').randomUUID()
      fs.closeSync(fs.openSync(prefix + name, 'wx', 0o600))
      return name
    },

    size(name) {
      const path = pathOf(name)
      return (path === undefined ? undefined : fs.statSync(path, { throwIfNoEntry: false }))?.size ?? 0
    },

    write(name, position, bytes) {
      const path = pathOf(name)
      if (path === undefined) throw new RangeError(`no row file is named ${name}`)
      const fd = fs.openSync(path, 'r+')
      try {
        for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done)
        fs.fsyncSync(fd)
      } finally {
        fs.closeSync(fd)
      }
    },

    read(name, length, buffer, use) {
      const path = pathOf(name)
      if (path === undefined) return false
      let fd: number
      try {
        fd = fs.openSync(path, 'r')
      } catch {
        return false // Removed, or not ours to read: the caller has the tables.
      }
      try {
        if (fs.fstatSync(fd).size < length) return false
        for (let position = 0; position < length; ) {
          const wanted = Math.min(buffer.length, length - position)
          if (readAll(fd, buffer, wanted, position) < wanted) return false
          use(buffer.subarray(0, wanted), position)
          position += wanted
        }
        return true
      } finally {
        fs.closeSync(fd)
      }
    },
  }
}

/** How many bytes there were; fewer at the end of the file or where the disk fails. */
function readAll(fd: number, buffer: Uint8Array, length: number, position: number): number {
  let done = 0
  while (done < length) {
    let count = 0
    try {
      count = fs.readSync(fd, buffer, done, length - done, position + done)
    } catch {
      return done // The caller has the tables.
    }
    if (count === 0) break
    done += count
  }
  return done
}
