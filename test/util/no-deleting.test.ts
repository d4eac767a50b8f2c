/** Inside some agents every Node.js program runs with a wrapper that moves deletions into a trash, and fails at it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { discardFile } from '../../src/util/fs.ts'
import { noDeleting } from '../helpers/no-deleting.ts'
import { type Ended, program, run } from '../helpers/programs.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

describe('where nothing can be deleted', () => {
  let counting: string
  let folder: string
  let counter: string
  let wrapper: string
  beforeAll(async () => {
    counting = await program('lock-program')
  })
  beforeEach(() => {
    folder = temporaryFolder()
    counter = join(folder, 'counter')
    writeFileSync(counter, '0')
    wrapper = noDeleting(folder)
  })

  const count = (rounds: number, mode = ''): Promise<Ended> =>
    run(process.execPath, ['--require', wrapper, counting, join(folder, 'the.lock'), counter, String(rounds), mode]).ended
  const counted = (): string => readFileSync(counter, 'utf8')

  it('a lock is free again after each run, and nothing piles up beside it', async () => {
    for (let runs = 1; runs <= 8; runs++) expect(await count(2)).toMatchObject({ code: 0, stderr: '' })
    expect(counted()).toBe('16')
    expect(readdirSync(folder).sort()).toEqual(['counter', 'no-deleting.cjs', 'the.lock.released', 'the.lock.tmp'])
  })

  it('a lock excludes, and is taken over from a process that died, as often as one does', async () => {
    for (let deaths = 0; deaths < 6; deaths++) {
      expect(await count(1, 'die')).toMatchObject({ signal: 'SIGKILL' })
      const all = await Promise.all([count(5), count(5), count(5)])
      expect(all.map(({ code, stderr }) => [code, stderr])).toEqual([
        [0, ''],
        [0, ''],
        [0, ''],
      ])
    }
    expect(counted()).toBe('90')
  })
})

describe('discarding a file', () => {
  it('deletes it where that works, and does not mind that it is gone', () => {
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'a'), '')
    discardFile(join(folder, 'a'))
    discardFile(join(folder, 'a'))
    expect(readdirSync(folder)).toEqual([])
  })

  it('takes no folder away in its place', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'a'))
    expect(() => discardFile(join(folder, 'a'))).toThrow(expect.objectContaining({ path: join(folder, 'a') }) as Error)
    expect(readdirSync(folder)).toEqual(['a'])
  })
})
