/** A daemon that is killed while it forgets: what was forgotten stays so, and what was not is whole. */
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { program, run } from '../../helpers/programs.ts'
import { made, numbersOf, until, type World, world } from './world.ts'

const COUNT = 4
const WANTED = 'p1'
let file: string

beforeAll(async () => {
  file = await program('keel-forgetting-program')
})

/** A proposal of several events, and one of another. */
async function remembered(options: Parameters<typeof world>[0], isCopied: boolean): Promise<World> {
  const at = await world(options)
  const memory = at.open(isCopied ? {} : { aw: undefined })
  for (let n = 0; n < COUNT; n++)
    await memory.record({
      ...made(n),
      data: { n, ...(n === 2 ? { proposal_id: 'other' } : { proposal_id: WANTED, next_action: 'Ring the clinic' }) },
    })
  if (isCopied) await memory.flush()
  await memory.close()
  return at
}

/** Of a next run, when all is done. */
async function endsWell({ server, file: store, open, numbers }: World, left: readonly number[]): Promise<void> {
  server.trouble = undefined
  const memory = open({ file: store })
  await until(() => expect(memory.state()).toMatchObject({ where: 'activitywatch', waiting: 0 }))
  await until(() => expect([...numbers()].sort()).toEqual(left))
  expect(numbersOf(await memory.latest())).toEqual([...left].reverse())
}

for (const personality of ['python', 'rust'] as const) {
  for (const how of ['hang', 'deaf'] as const) {
    it.each([1, 2, 3])(`deletes the rest where it is killed at deletion %i (${how}) in the ${personality} server`, async (at) => {
      const made = await remembered({ personality }, true)
      let deletions = 0
      const daemon = run(process.execPath, [file, made.server.url, made.file, WANTED])
      made.server.trouble = ({ method }) => {
        if (method !== 'DELETE' || ++deletions < at) return undefined
        daemon.child.kill('SIGKILL')
        return how
      }
      expect((await daemon.ended).signal).toBe('SIGKILL')
      expect(made.numbers()).toHaveLength(COUNT - (how === 'hang' ? at - 1 : at))
      await endsWell(made, [2])
    })

    it(`brings nothing back where it is killed with a copy on its way (${how}) to the ${personality} server`, async () => {
      const made = await remembered({ personality }, false)
      const daemon = run(process.execPath, [file, made.server.url, made.file, WANTED, 'at once'])
      made.server.trouble = ({ method, path }) => (method === 'POST' && path.endsWith('/events') ? how : undefined)
      await daemon.printed('forgotten')
      daemon.child.kill('SIGKILL')
      await daemon.ended
      await endsWell(made, [2])
    })
  }
}

it('has forgotten all of it or nothing where it is killed at any moment, and leaves no text behind', async () => {
  for (let round = 0; round < 8; round++) {
    const made = await remembered({ isAway: true }, false)
    const daemon = run(process.execPath, [file, made.server.url, made.file, WANTED, 'at once'])
    await daemon.printed('forgetting')
    // The first ones in the middle, the last ones behind it.
    if (round >= 4) await daemon.printed('forgotten')
    daemon.child.kill('SIGKILL')
    await daemon.ended
    const memory = made.open({ aw: undefined })
    const left = numbersOf(await memory.latest())
    expect(left).toBeOneOf([[3, 2, 1, 0], [2]])
    if (round >= 4) expect(left).toEqual([2])
    await memory.close()
    const bytes = Buffer.concat(readdirSync(dirname(made.file)).map((name) => readFileSync(join(dirname(made.file), name)))).toString(
      'latin1',
    )
    const isForgotten = left.length === 1
    expect(bytes.includes('Ring the clinic')).toBe(!isForgotten)
  }
})
