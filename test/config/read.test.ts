import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readConfigText } from '../../src/config/read.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

describe('reading the configuration', () => {
  it('reads a file, also through a link, and takes none for no text', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'config.env'), '\ufeffMEMU_DB=x\n')
    symlinkSync(join(folder, 'config.env'), join(folder, 'link.env'))
    expect(readConfigText(join(folder, 'link.env'))).toBe('MEMU_DB=x\n')
    expect(readConfigText(join(folder, 'none.env'))).toBeUndefined()
  })

  const unreadable = (path: string, why: string) =>
    expect(() => readConfigText(path)).toThrow(
      expect.objectContaining({
        code: 'config_unreadable',
        message: `Cannot read the configuration ${path}: ${why}.`,
        hint: expect.stringContaining('MEMU_CONFIG_ENV'),
      }),
    )

  it('says of a folder what it is', () => {
    const path = join(temporaryFolder(), 'config.env')
    mkdirSync(path)
    unreadable(path, 'it is a folder')
  })

  it.skipIf(process.platform === 'win32')('refuses a pipe that nobody writes to instead of waiting for it, and a device', () => {
    const path = join(temporaryFolder(), 'config.env')
    execFileSync('mkfifo', [path])
    unreadable(path, 'it is a pipe or a device, not a file')
    unreadable('/dev/zero', 'it is a pipe or a device, not a file')
  })
})
