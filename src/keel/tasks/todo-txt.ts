/** A todo.txt file: one task a line. It is read whole and only ever appended to; other programs change it at the same time. */
import { constants } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { reason, systemCode } from '../../util/errors.ts'
import { localDay } from '../../util/local-day.ts'
import type { System } from '../../util/system.ts'
import { systemFailure } from '../../util/system-failure.ts'
import { BEGINNING, encodingOf } from '../../util/text-encoding.ts'
import { notCreated, perhapsCreated, unavailable } from './failures.ts'
import type { TaskList } from './task-list.ts'
import { arranged, newTitle } from './task-text.ts'
import { newLine, parseTodoTxt } from './todo-txt-line.ts'

export interface TodoTxtOptions {
  /** Absolute. */
  readonly path: string
  readonly system: Pick<System, 'now'>
}

const NAME = 'todo.txt'
/** Tens of thousands of tasks. Bytes. */
const SIZE_LIMIT = 4 * 1024 * 1024
/** Enough of the end to see how the file ends its lines. Bytes. */
const TAIL = 4096
/** A pipe without anybody at its other end would hold us for ever; Windows has no such flag. */
const NO_WAIT = constants.O_NONBLOCK ?? 0

/** Opens nothing yet. The file is made with the first task, for its user alone; its folder is not. */
export function todoTxt({ path, system }: TodoTxtOptions): TaskList {
  return {
    name: NAME,
    async list({ limit, signal }) {
      signal.throwIfAborted()
      const text = await readFile(path).catch((error: unknown) => {
        throw unavailable(NAME, why(error, path), { cause: error, hint: 'Give the path of your file in KEEL_TODO_TXT.' })
      })
      return arranged(await parseTodoTxt(text, localDay(system.now())), limit)
    },
    async create(title, { signal }) {
      const text = newTitle(title, NAME)
      signal.throwIfAborted()
      await append(path, newLine(text, localDay(system.now())))
      return {}
    },
  }
}

/** Empty where there is no file yet in a folder that is there. */
async function readFile(path: string): Promise<string> {
  let file: FileHandle
  try {
    file = await open(path, constants.O_RDONLY | NO_WAIT)
  } catch (error) {
    // The first task makes the file; where the folder is missing too, the path is wrong.
    if (systemCode(error) !== 'ENOENT') throw error
    await stat(dirname(path))
    return ''
  }
  try {
    const { size } = await checked(file)
    if (size > SIZE_LIMIT) throw new Error(`${path} is larger than ${SIZE_LIMIT >> 20} MiB`)
    return (await file.readFile('utf8')).replace(/^\ufeff/, '')
  } finally {
    await file.close()
  }
}

/** One write at the end of the file, wherever that is by then: what others append meanwhile stays. */
async function append(path: string, line: string): Promise<void> {
  let file: FileHandle | undefined
  let isWritten = false
  try {
    file = await open(path, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | NO_WAIT, 0o600)
    const { size } = await checked(file)
    const tail = await tailOf(file, size)
    const newline = tail.includes('\r\n') ? '\r\n' : '\n'
    const isOpenEnded = tail !== '' && !tail.endsWith('\n')
    const bytes = Buffer.from(`${isOpenEnded ? newline : ''}${line}${newline}`)
    const { bytesWritten } = await file.write(bytes)
    isWritten = bytesWritten > 0
    if (bytesWritten < bytes.length) throw new Error('only a part of the line could be written')
    await file.sync()
  } catch (error) {
    throw isWritten ? perhapsCreated(NAME, why(error, path), { cause: error }) : notCreated(NAME, why(error, path), { cause: error })
  } finally {
    await file?.close()
  }
}

async function checked(file: FileHandle): Promise<{ readonly size: number }> {
  const found = await file.stat()
  if (!found.isFile()) throw new Error('it is not a regular file')
  const start = Buffer.alloc(BEGINNING)
  const { bytesRead } = await file.read(start, 0, BEGINNING, 0)
  if (encodingOf(start.subarray(0, bytesRead)) !== 'utf-8') throw new Error('it is UTF-16; todo.txt files are UTF-8')
  return found
}

async function tailOf(file: FileHandle, size: number): Promise<string> {
  const from = Math.max(size - TAIL, 0)
  const { buffer, bytesRead } = await file.read(Buffer.alloc(size - from), 0, size - from, from)
  return buffer.toString('latin1', 0, bytesRead)
}

function why(error: unknown, path: string): string {
  return (systemFailure(error)?.message ?? `${path}: ${reason(error)}`).replace(/\.$/, '')
}
