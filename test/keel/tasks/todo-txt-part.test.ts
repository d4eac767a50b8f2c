import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { todoTxt } from '../../../src/keel/tasks/todo-txt.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

/** Of the next line, these many bytes go into the file, as on a disk that is full; undefined: the write itself fails. */
let room: number | undefined

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof import('node:fs/promises')>()
  const open: typeof real.open = async (...given) => {
    const file = await real.open(...given)
    const write = file.write.bind(file) as (bytes: Buffer) => Promise<unknown>
    const partly = async (bytes: Buffer): Promise<unknown> => {
      if (room === undefined) throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })
      return write(bytes.subarray(0, room))
    }
    return Object.assign(file, { write: partly })
  }
  return { ...real, open }
})

it.each([
  [undefined, 'task_create_failed', 'One\n'],
  [0, 'task_create_failed', 'One\n'],
  [15, 'task_create_unknown', 'One\n2026-11-30 Walk'],
] as const)('a line of which %j bytes could be written is %s', async (bytes, code, content) => {
  const path = join(temporaryFolder(), 'todo.txt')
  writeFileSync(path, 'One\n')
  room = bytes
  const list = todoTxt({ path, system: { now: () => new Date(2026, 10, 30, 12) } })
  await expect(list.create('Walk to the sea', { signal: new AbortController().signal })).rejects.toMatchObject({ code })
  expect(readFileSync(path, 'utf8')).toBe(content)
})
