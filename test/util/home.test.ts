import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bridge } from '../../src/bridging/bridge.ts'
import { writeConfig } from '../../src/config/write.ts'
import { nonceIfPossible, ownNonce } from '../../src/guard/nonce.ts'
import { openLocal } from '../../src/memory/open.ts'
import { requireHome } from '../../src/util/home.ts'
import { realSystem, type System } from '../../src/util/system.ts'
import { world } from '../bridging/world.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

const refused = expect.objectContaining({ code: 'no_home', exit: 2 })

function homeless(): System {
  const folder = temporaryFolder()
  return { ...realSystem(), env: {}, cwd: folder, home: join(folder, 'nobody') }
}

describe('a home directory that does not exist', () => {
  it('is not made by anything that writes in it', async () => {
    const system = homeless()
    const base = join(system.home, '.memu', 'hosts', 'fake')
    const w = await world({ system: { home: system.home }, spec: { baseDir: () => base } })
    await expect(bridge({}, { ...w.deps, value: () => undefined })).rejects.toEqual(refused)
    await expect(w.prepare()).rejects.toEqual(refused)
    await expect(w.commit()).rejects.toEqual(refused)
    await w.end()
    await expect(openLocal({ db: '~/.memu/memory.db', system })).rejects.toEqual(refused)
    await expect(writeConfig(system, { MEMU_DB: '/m.db' })).rejects.toEqual(refused)
    expect(() => ownNonce(system.home)).toThrow(refused)
    expect(nonceIfPossible(system.home)).toBeUndefined()
    expect(fs.existsSync(system.home)).toBe(false)
  })

  it('does not matter to what lies elsewhere', async () => {
    const system = homeless()
    const backend = await openLocal({ db: join(system.cwd, 'memory.db'), system })
    await backend.close()
    expect(fs.readdirSync(system.cwd)).toContain('memory.db')
    expect(() => requireHome('/no/home', '/no/homely')).not.toThrow()
    expect(() => requireHome('/no/home', '/no/home/..hidden')).toThrow(refused)
  })
})
