import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { entriesIfExists, headOfFile } from '../../src/util/look.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'memu-look-'))
  writeFileSync(join(folder, 'file'), 'first and more')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the head of a file is its first bytes, or all of it', () => {
  expect(headOfFile(join(folder, 'file'), 5)).toBe('first')
  expect(headOfFile(join(folder, 'file'), 500)).toBe('first and more')
})

test('what is missing or a folder has no head', () => {
  expect(headOfFile(join(folder, 'missing'), 5)).toBeUndefined()
  expect(headOfFile(folder, 5)).toBeUndefined()
})

test.skipIf(process.platform === 'win32')('a pipe has no head, and is not waited for', () => {
  execFileSync('mkfifo', [join(folder, 'pipe')])
  expect(headOfFile(join(folder, 'pipe'), 5)).toBeUndefined()
})

test.skipIf(process.getuid?.() !== 0)('a file that is not ours to read has no head', () => {
  const path = join(folder, 'private')
  writeFileSync(path, 'words', { mode: 0o600 })
  process.seteuid!(65534)
  try {
    expect(headOfFile(path, 5)).toBeUndefined()
  } finally {
    process.seteuid!(0)
  }
})

test('a directory that does not exist holds nothing', () => {
  expect(entriesIfExists(join(folder, 'missing'))).toEqual([])
  expect(entriesIfExists(folder)).toContain('file')
  expect(() => entriesIfExists(join(folder, 'file'))).toThrow(/ENOTDIR/)
})
