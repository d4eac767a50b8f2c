import { homedir, userInfo } from 'node:os'
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

describe.skipIf(process.platform === 'win32')('the home directory', () => {
  afterEach(() => {
    vi.unstubAllEnvs()
  })

  it('is what HOME says', () => {
    vi.stubEnv('HOME', '/some/where')
    expect(realSystem().home).toBe('/some/where')
  })

  it.each(['', '.', 'relative/home'])('is never the folder that one works in: where HOME is "%s", the system knows the user’s', (home) => {
    vi.stubEnv('HOME', home)
    expect(realSystem().home).toBe(userInfo().homedir)
  })
})
