/** What a host whose sessions can be forked must do: what a fork copied is mined once, and not lost where the original lets go of it. */
import { expect, it } from 'vitest'
import type { HostLogFixture } from '../host-log.ts'
import { type HostWorld, hostWorld, said, talk } from './world.ts'

export function forkingContract(fixture: HostLogFixture): void {
  const { forks = false } = fixture

  it.skipIf(!forks)('mines what a fork copied where it came from, also of a fork of a fork', async () => {
    const { w, original, fork, second } = await family(fixture)
    expect((await w.read(original)).texts).toEqual(said(talk(1, 4)))
    expect((await w.read(fork)).texts).toEqual(said(talk(101, 2)))
    expect((await w.read(second)).texts).toEqual(said(talk(201, 2)))
  })

  it.skipIf(!forks)('loses nothing of what forks copied from a session that is gone', async () => {
    const { w, original, fork, second } = await family(fixture)
    w.log.remove?.(original)
    const third = w.id(4)
    w.log.fork?.(fork, third, 300)
    w.log.append(third, talk(301, 2))
    const texts = [...(await w.read(fork)).texts, ...(await w.read(second)).texts, ...(await w.read(third)).texts]
    expect(new Set(texts)).toEqual(new Set(said([...talk(1, 4), ...talk(101, 2), ...talk(201, 2), ...talk(301, 2)])))
  })

  it.skipIf(!forks)('loses nothing of what two forks copied from the same session when that is gone', async () => {
    const w = await hostWorld(fixture)
    const forksOf = [w.id(2), w.id(3)]
    w.log.append(w.first, talk(1, 4))
    for (const [index, fork] of forksOf.entries()) {
      w.log.fork?.(w.first, fork, 100 * (index + 1))
      w.log.append(fork, talk(100 * (index + 1) + 1, 2))
    }
    w.log.remove?.(w.first)
    const texts = (await Promise.all(forksOf.map(async (fork) => (await w.read(fork)).texts))).flat()
    expect(new Set(texts)).toEqual(new Set(said([...talk(1, 4), ...talk(101, 2), ...talk(201, 2)])))
  })

  it.skipIf(fixture.forks !== 'and undoes')('mines from the fork what the user took back in the original', async () => {
    const { w, original, fork, second } = await family(fixture)
    w.log.takeBack?.(original, 3, 400)
    expect((await w.read(original)).texts).toEqual(said(talk(1, 2)))
    expect((await w.read(fork)).texts).toEqual(said([...talk(3, 2), ...talk(101, 2)]))
    expect((await w.read(second)).texts).toEqual(said(talk(201, 2)))
  })

  it.skipIf(fixture.forks !== 'and undoes')('mines what was taken back in the fork where it came from', async () => {
    const { w, original, fork } = await family(fixture)
    w.log.takeBack?.(fork, 101, 400)
    expect((await w.read(original)).texts).toEqual(said(talk(1, 4)))
    expect((await w.read(fork)).texts).toEqual([])
  })
}

interface FamilyWorld {
  readonly w: HostWorld
  readonly original: string
  readonly fork: string
  readonly second: string
}

/** Four messages, which a fork copied and a fork of that; each went on on its own. */
async function family(fixture: HostLogFixture): Promise<FamilyWorld> {
  const w = await hostWorld(fixture)
  const [original, fork, second] = [w.first, w.id(2), w.id(3)]
  w.log.append(original, talk(1, 4))
  w.log.fork?.(original, fork, 100)
  w.log.append(fork, talk(101, 2))
  w.log.fork?.(fork, second, 200)
  w.log.append(second, talk(201, 2))
  return { w, original, fork, second }
}
