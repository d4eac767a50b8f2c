import { homedir } from 'node:os'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { realSystem } from '../../src/util/system.ts'

describe('the working directory', () => {
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  it('is the one of the process', () => expect(realSystem().cwd).toBe(process.cwd()))

  it.each([
    ['/was/here', '/was/here'],
    ['relative', homedir()],
    [undefined, homedir()],
  ])('counts, where it was deleted, as the path that the shell knows (%s), else as the home directory', (pwd, expected) => {
    vi.spyOn(process, 'cwd').mockImplementation(() => {
      throw Object.assign(new Error('ENOENT: no such file or directory, uv_cwd'), { code: 'ENOENT', syscall: 'uv_cwd' })
    })
    vi.stubEnv('PWD', pwd)
    expect(realSystem().cwd).toBe(expected)
  })
})
