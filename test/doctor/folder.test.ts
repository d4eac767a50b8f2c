import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../src/doctor/check.ts'
import { type Access, checkFolders } from '../../src/doctor/checks/folder.ts'
import { claudeCode } from '../../src/hosts/registry.ts'
import { realSystem } from '../../src/util/system.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

async function look(home: string, access?: Access): Promise<readonly Finding[]> {
  return checkFolders(access).run({ system: { ...realSystem(), home }, hosts: [claudeCode] })
}

/** Rights as on another machine: what is named may only be read. */
const readOnly =
  (code: string, ...paths: readonly string[]): Access =>
  (path, mode) => {
    if (paths.includes(path) && (mode & fs.constants.W_OK) !== 0)
      throw Object.assign(new Error(`${code}: words, access '${path}'`), { code, syscall: 'access', path })
  }

describe('the check of the folders', () => {
  it('says that they can be written, also where they are not there yet, and makes none', async () => {
    const home = temporaryFolder()
    expect(await look(home)).toEqual([{ level: 'ok', what: `${join(home, '.memu')} can be written.` }])
    expect(fs.readdirSync(home)).toEqual([])
  })

  it('fails on a home that cannot be written, before there is anything in it', async () => {
    const home = temporaryFolder()
    const [finding, ...more] = await look(home, readOnly('EROFS', home))
    expect(finding).toMatchObject({ level: 'fail', what: `Cannot write into ${home}: the file system is read-only (EROFS).` })
    expect(finding?.next).toContain('MEMU_DB')
    expect(more).toEqual([])
  })

  it('fails on a folder of a working tree that belongs to another user, and names it', async () => {
    const home = temporaryFolder()
    const memory = join(home, '.memu', 'hosts', 'claude-code', 'memory')
    fs.mkdirSync(memory, { recursive: true })
    expect(await look(home, readOnly('EACCES', dirname(memory), memory))).toHaveLength(1)
    expect(await look(home, readOnly('EACCES', memory))).toMatchObject([
      { level: 'fail', what: `Cannot write into ${memory}: your user may not (EACCES).`, next: expect.stringContaining('chown') },
    ])
  })

  it('asks of a file only that it can be read: it is replaced, not changed', async () => {
    const home = temporaryFolder()
    const config = join(home, '.memu', 'config.env')
    fs.mkdirSync(join(home, '.memu'))
    fs.writeFileSync(config, '')
    expect(await look(home, readOnly('EACCES', config))).toMatchObject([{ level: 'ok' }])
    const unreadable: Access = (path) => {
      if (path === config) throw Object.assign(new Error('EACCES: words'), { code: 'EACCES', syscall: 'access', path })
    }
    expect(await look(home, unreadable)).toMatchObject([{ level: 'fail', what: `Cannot read ${config}: your user may not (EACCES).` }])
  })

  it('fails where a file or a link to nowhere stands in the place of the folder', async () => {
    const home = temporaryFolder()
    fs.symlinkSync('not-mounted', join(home, '.memu'))
    expect(await look(home)).toMatchObject([{ level: 'fail', what: expect.stringContaining('link to nowhere') }])
    fs.rmSync(join(home, '.memu'))
    fs.writeFileSync(join(home, '.memu'), '')
    expect((await look(home))[0]).toMatchObject({ level: 'fail', what: `${join(home, '.memu')} is a file where a folder is needed.` })
  })
})
