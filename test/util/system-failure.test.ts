import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { MemuError } from '../../src/util/errors.ts'
import { makeDirectory, readTextIfExists, writeFileAtomic } from '../../src/util/fs.ts'
import { systemFailure } from '../../src/util/system-failure.ts'

function thrownBy(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('it did not fail')
}

const refusal = (code: string, syscall = 'open', named: { path?: string } = { path: '/home/dev/x' }) =>
  Object.assign(new Error(`${code}: words`), { code, syscall, ...named })

describe.skipIf(process.platform === 'win32')('a refusal of the operating system', () => {
  const folder = fs.mkdtempSync(join(tmpdir(), 'memu-refusal-'))
  const file = join(folder, 'file')
  fs.writeFileSync(file, '')
  fs.symlinkSync('loop', join(folder, 'loop'))
  fs.symlinkSync('not-mounted', join(folder, 'nowhere'))
  afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

  it.each<[string, () => unknown, string]>([
    [
      'a folder below a device',
      () => makeDirectory('/dev/null/x'),
      'Cannot make the folder /dev/null/x: a part of the path is a file where',
    ],
    ['a folder over a file', () => makeDirectory(file), `Cannot make the folder ${file}: something else has that name`],
    [
      'a folder behind a link to nowhere',
      () => makeDirectory(join(folder, 'nowhere', 'x')),
      `Cannot make the folder ${join(folder, 'nowhere')}: something else`,
    ],
    ['the list of a file', () => fs.readdirSync(file), `Cannot list the folder ${file}: a part of the path is a file`],
    ['the text of a folder', () => readTextIfExists(folder), `Cannot read ${folder}: it is a folder where a file is needed`],
    ['a file over a folder', () => writeFileAtomic(folder, 'x'), `Cannot write ${folder}: it is a folder where a file is needed`],
    [
      'links in a circle',
      () => fs.readFileSync(join(folder, 'loop')),
      `Cannot open ${join(folder, 'loop')}: its symbolic links lead in a circle`,
    ],
    ['a name that is too long', () => writeFileAtomic(join(folder, 'x'.repeat(300)), 'x'), 'xxx: the path is too long (ENAMETOOLONG).'],
    ['what is gone', () => fs.readdirSync(join(folder, 'gone')), `Cannot list the folder ${join(folder, 'gone')}: it, or a folder`],
    ['a program without the right to run', () => { throw spawnSync(file).error }, `Cannot run ${file}: your user may not`], // biome-ignore format: one row
  ])('says what failed, on which path and why: %s', (_what, work, message) => {
    const failure = systemFailure(thrownBy(work))
    expect(failure?.message).toContain(message)
    expect(failure?.message).not.toContain('.tmp')
    expect(failure?.hint).toMatch(/\w.*\.$/)
  })

  it.each([
    ['EACCES', 'no_permission', 'your user may not'],
    ['EPERM', 'no_permission', 'your user may not'],
    ['EROFS', 'read_only', 'Cannot write /home/dev/x: the file system is read-only (EROFS).'],
    ['ENOSPC', 'disk_full', 'Cannot write /home/dev/x: the disk is full (ENOSPC).'],
    ['EDQUOT', 'disk_full', 'quota'],
    ['EMFILE', 'too_many_files', 'too many files are open'],
    ['EIO', 'disk_error', 'the disk reports an error'],
  ])('has a code and words for %s', (code, ours, message) => {
    expect(systemFailure(refusal(code))).toMatchObject({ code: ours, exit: 1, message: expect.stringContaining(message) })
  })

  it('names the folder in place of a temporary file, whose name nobody knows', () => {
    const failure = systemFailure(refusal('EACCES', 'open', { path: '/home/dev/.run.lock.12-abc.tmp' }))
    expect(failure?.message).toBe('Cannot write into /home/dev: your user may not (EACCES).')
  })

  it('names the file that was meant where the temporary one beside it is refused, or an open one', () => {
    const failure = thrownBy(() => writeFileAtomic(join('/proc/self', 'x'), 'x')) as NodeJS.ErrnoException
    expect(failure).toMatchObject({ path: '/proc/self/x', message: expect.stringMatching(/^[A-Z]+: [\w ]+, open '\/proc\/self\/x'$/) })
    expect(thrownBy(() => readTextIfExists(folder))).toMatchObject({ path: folder, message: expect.stringContaining(`, read '${folder}'`) })
  })

  it.each<[string, unknown]>([
    ['a mistake in the program', new TypeError('x is not a function')],
    ['a server that does not answer', refusal('EACCES', 'connect', {})],
    ['a right that is about no file', refusal('EPERM', 'kill', {})],
    ['a code of a library', Object.assign(new Error('x'), { code: 'ERR_INVALID_ARG_TYPE' })],
    ['an error that says all already', new MemuError('EACCES', 'It is refused.')],
    ['thrown text', 'EACCES'],
    ['nothing', undefined],
  ])('is not %s', (_what, error) => expect(systemFailure(error)).toBeUndefined())
})
