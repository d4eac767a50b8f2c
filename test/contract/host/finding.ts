/** Which sessions there are, and that looking for them costs nothing but a look. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { unprivileged } from '../../helpers/unprivileged.ts'
import type { HostLogFixture } from '../host-log.ts'
import { noReport } from '../transcript-source.ts'
import { hostWorld, said, talk } from './world.ts'

/** What a folder may be called on this system. */
const ODD_NAMES =
  process.platform === 'win32' ? ["a b#c%20d'e ü漢🙂"] : ["a b#c%20d'e ü漢🙂", 'what?mode=rw&x="1"', '*[a]\\{b}', 'new\nline']

/** What hosts call the folders in which they keep sessions, also those that they put away. */
const NEIGHBOURS = [
  ...['sessions', 'archived_sessions', 'session-state', 'history-session-state', 'projects', 'chats', 'agents', 'storage', 'profiles'],
  ...['globalStorage', 'workspaceStorage', 'archive', 'tmp'],
]

export function findingContract(fixture: HostLogFixture): void {
  it('says whether there is a log at all, and makes none', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 2))
    expect(w.source.exists()).toBe(true)
    const absent = await fixture.spec.source(join(w.root, 'nothing', 'here'), w.system)
    expect(absent.exists()).toBe(false)
    expect(absent.discover(noReport)).toEqual([])
    expect(fs.existsSync(join(w.root, 'nothing'))).toBe(false)
  })

  it('reads of a folder that the user named its own sessions, and nothing that lies beside it', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 2))
    w.log.close()
    const beside = await hostWorld(fixture)
    beside.log.append(w.id(2), talk(1, 2))
    beside.log.close()
    for (const name of NEIGHBOURS) {
      const path = join(dirname(w.log.sessionDir), name)
      if (!fs.existsSync(path)) fs.cpSync(beside.log.sessionDir, path, { recursive: true })
    }
    expect(w.discover().map(({ id }) => id)).toEqual([w.refId(w.first)])
  })

  it('finds every session once, whatever came first, with a size and a time that change with it', async () => {
    const w = await hostWorld(fixture)
    const ids = [3, 1, 4, 2].map(w.id)
    for (const id of ids) w.log.append(id, talk(1, 3))
    const before = w.discover()
    expect(before.map(({ id }) => id).sort()).toEqual(ids.map(w.refId).sort())
    for (const { size, modified } of before) {
      expect(size).toBeGreaterThan(0)
      expect(modified).toBeGreaterThan(Date.UTC(2020, 0))
    }
    expect(new Set(before.map(({ owner }) => owner)).size).toBe(ids.length)
    expect(w.discover()).toEqual(before)

    w.log.append(w.first, talk(4, 2))
    const state = ({ id, size, modified }: (typeof before)[number]) => JSON.stringify([id, size, modified])
    const known = new Set(before.map(state))
    expect(
      w
        .discover()
        .filter((session) => !known.has(state(session)))
        .map(({ id }) => id),
    ).toEqual([w.refId(w.first)])
  })

  it.skipIf(process.platform === 'win32')(
    'takes a log that it may not look at for one that is there, and says why it finds nothing',
    async () => {
      const w = await hostWorld(fixture)
      w.log.append(w.first, talk(1, 2))
      w.log.close()
      const place = w.log.sessionDir === w.root ? [w.root] : [w.log.sessionDir, dirname(w.log.sessionDir)]
      for (const closed of place) {
        fs.chmodSync(closed, 0)
        const problems: string[] = []
        await unprivileged(w.scratch, async () => {
          const source = await fixture.spec.source(w.log.sessionDir, w.system)
          expect(source.exists(), closed).toBe(true)
          expect(source.discover(({ path }) => void problems.push(path))).toEqual([])
        })
        fs.chmodSync(closed, 0o755)
        expect(problems, closed).not.toEqual([])
      }
      expect((await w.read(w.first)).texts).toEqual(said(talk(1, 2)))
    },
  )

  // Of one file for all, opening it is the scan; what may not be read of it is in the contract of databases.
  const hasFiles = process.platform !== 'win32' && fixture.databases !== 'one'

  it.runIf(hasFiles)('opens no session to find it', async () => {
    const w = await hostWorld(fixture)
    for (const number of [1, 2]) w.log.append(w.id(number), talk(1, 2))
    for (const { path } of w.discover()) fs.chmodSync(path, 0)
    const problems: string[] = []
    const found = await unprivileged(w.scratch, () => w.discover(({ path }) => void problems.push(path)))
    expect(found.map(({ id }) => id).sort()).toEqual([w.id(1), w.id(2)].map(w.refId).sort())
    expect(problems).toEqual([])
  })

  it.each(ODD_NAMES)('reads a log in a folder called %j', async (folder) => {
    const w = await hostWorld(fixture, folder)
    w.log.append(w.first, talk(1, 4))
    expect((await w.read(w.first)).texts).toEqual(said(talk(1, 4)))
  })

  it.runIf(hasFiles)('says which session it may not read, and reads the others', async () => {
    const w = await hostWorld(fixture)
    for (const number of [1, 2]) w.log.append(w.id(number), talk(1, 2))
    const closed = w.ref(w.first)
    fs.chmodSync(closed.path, 0)
    await unprivileged(w.scratch, async () => {
      const reading = w.source.read(closed, undefined, () => {})
      await expect(reading).rejects.toMatchObject({ code: 'session_unreadable', message: expect.stringContaining(closed.path) as string })
      expect((await w.read(w.id(2))).texts).toEqual(said(talk(1, 2)))
    })
    fs.chmodSync(closed.path, 0o600)
    expect((await w.read(w.first)).texts).toEqual(said(talk(1, 2)))
  })

  it.skipIf(process.platform === 'win32')('says which session it may not read where its folder is closed', async () => {
    const w = await hostWorld(fixture)
    w.log.append(w.first, talk(1, 2))
    w.log.close()
    const session = w.ref(w.first)
    const closed = dirname(session.path)
    fs.chmodSync(closed, 0)
    await unprivileged(w.scratch, async () => {
      const reading = w.source.read(session, undefined, () => {})
      await expect(reading).rejects.toMatchObject({ code: 'session_unreadable', message: expect.stringContaining(session.path) as string })
    })
    fs.chmodSync(closed, 0o755)
    expect((await w.read(w.first)).texts).toEqual(said(talk(1, 2)))
  })

  it.skipIf(process.platform === 'win32')(
    'neither follows a link nor waits for a pipe in the place of a session, and says so',
    async () => {
      const w = await hostWorld(fixture)
      w.log.append(w.first, talk(1, 2))
      const session = w.ref(w.first)
      w.log.close()
      const outside = join(w.root, 'elsewhere')
      fs.renameSync(session.path, outside)
      const foundAndReported = () => {
        const reported: string[] = []
        const found = w.source.discover(({ path }) => reported.push(path))
        return { found: found.some(({ id }) => id === session.id), reported: reported.includes(session.path) }
      }
      const refused = expect.objectContaining({ code: 'session_unreadable' }) as Error
      fs.symlinkSync(outside, session.path)
      expect(foundAndReported()).toEqual({ found: false, reported: true })
      await expect(w.source.read(session, undefined, () => {})).rejects.toThrow(refused)
      fs.rmSync(session.path)
      w.system.processes().execFileSync('mkfifo', [session.path])
      expect(foundAndReported()).toEqual({ found: false, reported: true })
      await expect(w.source.read(session, undefined, () => {})).rejects.toThrow(refused)
      fs.rmSync(session.path)
      await expect(w.source.read(session, undefined, () => {})).rejects.toThrow(refused)
      fs.renameSync(outside, session.path)
      expect((await w.read(w.first)).texts).toEqual(said(talk(1, 2)))
    },
  )
}
