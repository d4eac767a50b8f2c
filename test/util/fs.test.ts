import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeDirectory, type Replacing, readTextIfExists, replaceFile, writeFileAtomic } from '../../src/util/fs.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

/** A rename that fails with `code` for the first `failures` times. */
function renaming(
  platform: NodeJS.Platform,
  code: string,
  failures: number,
): Replacing & { readonly tries: () => number; readonly pauses: number[] } {
  let tries = 0
  const pauses: number[] = []
  return {
    platform,
    rename: () => {
      tries++
      if (tries <= failures) throw Object.assign(new Error(code), { code })
    },
    pause: (milliseconds) => pauses.push(milliseconds),
    tries: () => tries,
    pauses,
  }
}

describe('replacing a file', () => {
  it.each(['EPERM', 'EACCES', 'EBUSY'])('waits on Windows for who holds the file (%s)', (code) => {
    const held = renaming('win32', code, 3)
    replaceFile('a', 'b', held)
    expect(held.tries()).toBe(4)
    expect(held.pauses).toHaveLength(3)
  })

  it('gives up on Windows after a second, with the error that it got', () => {
    const held = renaming('win32', 'EPERM', Number.POSITIVE_INFINITY)
    expect(() => replaceFile('a', 'b', held)).toThrow('EPERM')
    const waited = held.pauses.reduce((sum, pause) => sum + pause, 0)
    expect(waited).toBeGreaterThan(500)
    expect(waited).toBeLessThan(1000)
  })

  it.each<[NodeJS.Platform, string]>([
    ['linux', 'EACCES'],
    ['win32', 'ENOSPC'],
  ])('does not wait on %s for what %s says', (platform, code) => {
    const refused = renaming(platform, code, 1)
    expect(() => replaceFile('a', 'b', refused)).toThrow(code)
    expect(refused.pauses).toEqual([])
  })

  it('leaves the old file and nothing beside it where it fails', () => {
    const folder = temporaryFolder()
    fs.mkdirSync(join(folder, 'taken', 'inside'), { recursive: true })
    expect(() => writeFileAtomic(join(folder, 'taken'), 'text')).toThrow()
    expect(fs.readdirSync(folder)).toEqual(['taken'])
  })
})

describe('making a folder', () => {
  it('makes what is missing of its parents, for the user alone, and leaves what is there as it is', () => {
    const folder = temporaryFolder()
    fs.mkdirSync(join(folder, 'open'), { mode: 0o755 })
    fs.chmodSync(join(folder, 'open'), 0o755)
    const deep = join(folder, 'open', 'a', 'b', 'c')
    makeDirectory(deep)
    makeDirectory(deep)
    if (process.platform === 'win32') return
    expect(fs.statSync(deep).mode & 0o777).toBe(0o700)
    expect(fs.statSync(join(folder, 'open', 'a')).mode & 0o777).toBe(0o700)
    expect(fs.statSync(join(folder, 'open')).mode & 0o777).toBe(0o755)
  })
})

describe('reading a file that may be there', () => {
  it('gives its text, and nothing where there is none', () => {
    const folder = temporaryFolder()
    fs.writeFileSync(join(folder, 'a'), 'größer\n')
    expect(readTextIfExists(join(folder, 'a'))).toBe('größer\n')
    expect(readTextIfExists(join(folder, 'b'))).toBeUndefined()
    expect(() => readTextIfExists(folder)).toThrow(expect.objectContaining({ code: 'EISDIR', path: folder }))
  })

  it.skipIf(process.platform === 'win32')('waits for no pipe, and reads no device', () => {
    const pipe = join(temporaryFolder(), 'pipe')
    execFileSync('mkfifo', [pipe])
    for (const path of [pipe, '/dev/zero']) {
      expect(() => readTextIfExists(path)).toThrow(`Cannot read ${path}: it is a pipe or a device, not a file.`)
    }
  })
})
