/**
 * A small file beside the events' own, for those that this one does not take: its room is taken when it is made, so that it can be written on
 * a full disk, and it is no database, so that no lock keeps us out. What lies in it outlives the process, however that ends.
 *
 * Two halves are written in turn, so that a kill in the middle of a write leaves what was written before. Each is a line of a number, a
 * length, and a checksum, and then the events as JSON.
 */
import { createHash, randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname } from 'node:path'
import { makeDirectory } from '../../util/fs.ts'
import { isObject } from '../../util/is-object.ts'
import type { KeelEvent } from './store.ts'
import type { Sent, StoredEvent } from './stored-events.ts'

export interface SpareFile {
  /** What the last run left in it, the oldest first. What is damaged is passed over. */
  readonly found: readonly Omit<StoredEvent, 'id'>[]
  /** Why nothing can be written to it; undefined while it can. */
  readonly failure: string | undefined
  /** Whether no text of an event lies in it. */
  readonly isEmpty: boolean
  /** Replaces what is in it; of nothing, no text remains. Gives how many of them it holds now, the newest. Never fails. */
  write(events: readonly StoredEvent[]): number
  close(): void
}

/** Some hundred events. */
export const HALF_BYTES = 64 * 1024
const HEADER_BYTES = 64

/** Makes it where there is none. Never fails: where there can be none it is tried again with each write, and `reason` tells why. */
export function openSpareFile(file: string, reason: (error: unknown) => string): SpareFile {
  let fd: number | undefined
  let number = 0
  let failure: string | undefined
  let isEmpty = !fs.existsSync(file)

  function open(): number {
    if (fd !== undefined && isAt(fd, file)) return fd
    if (fd !== undefined) fs.closeSync(fd)
    fd = undefined
    makeDirectory(dirname(file))
    const opened = fs.openSync(file, fs.constants.O_RDWR | fs.constants.O_CREAT, 0o600)
    try {
      if (!hasRoom(opened)) takeRoom(opened)
    } catch (error) {
      fs.closeSync(opened)
      throw error
    }
    fd = opened
    return opened
  }

  function trying<Result>(work: () => Result, otherwise: Result): Result {
    try {
      const result = work()
      failure = undefined
      return result
    } catch (error) {
      failure = reason(error)
      return otherwise
    }
  }

  function clear(into: number): void {
    if (isEmpty) return
    // What was written last goes last: a kill in between leaves all of it, or nothing.
    for (const half of [number + 1, number]) writeAll(into, randomBytes(HALF_BYTES), (half % 2) * HALF_BYTES)
    fs.fdatasyncSync(into)
    isEmpty = true
  }

  const found = trying(() => {
    const from = open()
    isEmpty = [0, 1].every((half) => !isWritten(from, half))
    const halves = [0, 1].flatMap((half) => readHalf(from, half) ?? [])
    const last = halves.sort((a, b) => b.number - a.number)[0]
    number = last?.number ?? 0
    return last?.events ?? []
  }, [])
  return {
    found,
    get failure() {
      return failure
    },
    get isEmpty() {
      return isEmpty
    },
    write(events) {
      if (events.length === 0 && isEmpty) return 0
      return trying(() => {
        const into = open()
        if (events.length === 0) {
          clear(into)
          return 0
        }
        const { text, count } = newest(events)
        isEmpty = false
        writeAll(into, half(number + 1, text), ((number + 1) % 2) * HALF_BYTES)
        fs.fdatasyncSync(into)
        number++
        return count
      }, 0)
    },
    close() {
      if (fd !== undefined) fs.closeSync(fd)
      fd = undefined
    },
  }
}

function isAt(fd: number, file: string): boolean {
  const [open, there] = [fs.fstatSync(fd), fs.statSync(file, { throwIfNoEntry: false })]
  return there?.ino === open.ino && there.dev === open.dev && there.size >= 2 * HALF_BYTES
}

function hasRoom(fd: number): boolean {
  const { size, blocks } = fs.fstatSync(fd)
  // A copy of it may have holes in place of what was only room. Windows counts no blocks.
  return size >= 2 * HALF_BYTES && (process.platform === 'win32' || blocks * 512 >= 2 * HALF_BYTES)
}

/** With bytes that no file system makes smaller. What is in the file already stays. */
function takeRoom(fd: number): void {
  const before = Buffer.alloc(2 * HALF_BYTES)
  const size = fs.readSync(fd, before, 0, before.length, 0)
  writeAll(fd, Buffer.concat([before.subarray(0, size), randomBytes(before.length - size)]), 0)
  fs.fsyncSync(fd)
}

function writeAll(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) done += fs.writeSync(fd, bytes, done, bytes.length - done, position + done)
}

/** As many of the newest as one half holds. */
function newest(events: readonly StoredEvent[]): { readonly text: string; readonly count: number } {
  const lines: string[] = []
  let size = HEADER_BYTES
  for (const { event, sent } of [...events].reverse()) {
    const line = JSON.stringify([event.kind, event.at.getTime(), event.data, sent])
    size += Buffer.byteLength(line) + 1
    if (size > HALF_BYTES) break
    lines.push(line)
  }
  return { text: lines.reverse().join('\n'), count: lines.length }
}

function half(number: number, text: string): Buffer {
  const body = Buffer.from(text)
  const header = `${MARK}${number} ${body.length} ${checksum(number, body)}`
  return Buffer.concat([Buffer.from(`${header.padEnd(HEADER_BYTES - 1)}\n`), body])
}

const MARK = 'keel '

function isWritten(fd: number, half: number): boolean {
  const start = Buffer.alloc(MARK.length)
  fs.readSync(fd, start, 0, start.length, half * HALF_BYTES)
  return start.toString('latin1') === MARK
}

/** Undefined where none was written, or not to its end. */
function readHalf(fd: number, half: number): { readonly number: number; readonly events: Omit<StoredEvent, 'id'>[] } | undefined {
  const bytes = Buffer.alloc(HALF_BYTES)
  fs.readSync(fd, bytes, 0, HALF_BYTES, half * HALF_BYTES)
  const header = /^keel (\d{1,15}) (\d{1,6}) ([0-9a-f]+) *\n$/.exec(bytes.toString('latin1', 0, HEADER_BYTES))
  if (header === null) return undefined
  const number = Number(header[1])
  const body = bytes.subarray(HEADER_BYTES, HEADER_BYTES + Number(header[2]))
  if (checksum(number, body) !== header[3]) return undefined
  return { number, events: body.toString('utf8').split('\n').flatMap(parsed) }
}

function checksum(number: number, body: Uint8Array): string {
  return createHash('sha256').update(`${number} `).update(body).digest('hex').slice(0, 32)
}

function parsed(line: string): Omit<StoredEvent, 'id'>[] {
  const [kind, time, data, sent] = JSON.parse(line) as readonly unknown[]
  const at = new Date(Number(time))
  if (typeof kind !== 'string' || Number.isNaN(at.getTime()) || !isObject(data)) return []
  return [{ event: { kind, at, data: data as KeelEvent['data'] }, sent: sent as Sent }]
}
