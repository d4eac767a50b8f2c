/** The copy of the vector rows beside a SQLite store: read where it is right, and never missed where it is not. */
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSqlite } from '../../src/store/sqlite/open.ts'
import { rowFiles } from '../../src/store/sqlite/row-file.ts'
import type { Change, Store } from '../../src/store/store.ts'

const SCOPE = { user_id: '', agent_id: '' }
const SPACE = { provider: 'test', model: 'circle', dimensions: 2 }
const QUERY = Float32Array.of(1, 0)

let folder: string
let path: string
beforeEach(() => {
  folder = fs.mkdtempSync(join(tmpdir(), 'memu-copy-'))
  path = join(folder, 'memory.db')
})
afterEach(() => {
  fs.rmSync(folder, { recursive: true, force: true })
})

/** A file of lines whose vectors go round a circle. */
function change(name: string, lines: number, expected = 0, vectors = true): Change {
  const segments = Array.from({ length: lines }, (_, line) => ({
    text: `${name} ${expected} ${line}`,
    ...(vectors ? { vector: Float32Array.of(Math.cos(line + expected), Math.sin(line + expected)) } : {}),
  }))
  const file = {
    track: 'memory',
    name,
    id: name,
    description: '',
    content: `${expected}`,
    expected,
    change: expected === 0 ? 'created' : 'updated',
  } as const
  return { scope: SCOPE, space: SPACE, now: '2026-01-01T00:00:00.000Z', files: [{ ...file, segments }], resources: [], forget: [] }
}

async function withStore<T>(use: (store: Store) => Promise<T>, readOnly = false): Promise<T> {
  const store = await openSqlite(path, { readOnly })
  try {
    return await use(store!)
  } finally {
    await store!.close()
  }
}

const commit = (...changes: Change[]): Promise<void> =>
  withStore(async (store) => {
    for (const one of changes) expect(await store.apply(one)).toBe('applied')
  })

const cosines = (): Promise<number[]> =>
  withStore((store) => store.read(async ({ corpus }) => [...(await (await corpus('file', {})).vector(QUERY)).documents]), true)

/** What a store gives whose copies are out of the way. */
async function cosinesOfTables(): Promise<number[]> {
  const hidden = copies().map((name) => [join(folder, name), join(folder, `hidden-${name}`)] as const)
  for (const [from, to] of hidden) fs.renameSync(from, to)
  const found = await cosines()
  for (const [from, to] of hidden) fs.renameSync(to, from)
  return found
}

const copies = (): string[] => fs.readdirSync(folder).filter((name) => name.startsWith('memory.db-vectors-'))
const copy = (): string => join(folder, copies()[0]!)

describe('the copy of the vector rows', () => {
  it('does not exist beside a small store', async () => {
    await commit(change('few', 100))
    expect(copies()).toEqual([])
  })

  it('gives a query the rows that the tables give, private to the user, as commits append to it', async () => {
    await commit(change('many', 5000))
    expect(copies().length).toBe(1)
    expect(fs.statSync(copy()).mode & 0o777).toBe(0o600)
    expect(fs.statSync(copy()).size).toBe(5000 * 6)
    const [name] = copies()
    await commit(change('more', 300), change('again', 900))
    expect(copies()).toEqual([name])
    expect(fs.statSync(copy()).size).toBe(6200 * 6)
    const found = await cosines()
    expect(found.length).toBe(6200)
    expect(found).toEqual(await cosinesOfTables())
  })

  it('is what a query reads', async () => {
    await commit(change('many', 5000))
    fs.writeFileSync(copy(), Buffer.alloc(5000 * 6))
    expect(new Set(await cosines())).toEqual(new Set([0]))
  })

  it('is left alone where it was cut or removed, and made anew by the next commit', async () => {
    await commit(change('many', 5000))
    const right = await cosinesOfTables()
    fs.truncateSync(copy(), 1000)
    expect(await cosines()).toEqual(right)
    const [old] = copies()
    await commit(change('more', 10))
    expect(copies().length).toBe(1)
    expect(copies()[0]).not.toBe(old)
    expect(fs.statSync(copy()).size).toBe(5010 * 6)
    expect(await cosines()).toEqual(await cosinesOfTables())
  })

  it('is made anew where it is longer than the tables say: something was written that they do not know', async () => {
    await commit(change('many', 5000))
    const [old] = copies()
    fs.appendFileSync(copy(), Buffer.alloc(60, 1))
    expect(await cosines()).toEqual(await cosinesOfTables())
    await commit(change('more', 10))
    expect(copies()[0]).not.toBe(old)
    expect(await cosines()).toEqual(await cosinesOfTables())
  })

  it('keeps what an older snapshot reads while a writer appends and replaces', async () => {
    await commit(change('many', 5000))
    await withStore(async (reader) => {
      await reader.read(async ({ corpus }) => {
        const view = await corpus('file', {})
        const before = [...(await view.vector(QUERY)).documents]
        await commit(change('more', 500), change('many', 4000, 1))
        expect([...(await view.vector(QUERY)).documents]).toEqual(before)
      })
    }, true)
    expect(await cosines()).toEqual(await cosinesOfTables())
  })

  it('does not hold a store back where no file can be made', async () => {
    await commit(change('first', 10))
    await withStore(async (store) => {
      const { create } = rowFiles(path)
      const name = create([])
      fs.rmSync(join(folder, `memory.db-vectors-${name}`))
      const database = new DatabaseSync(path)
      // A copy that is not there, under the name of a folder: it cannot be opened for writing.
      database.exec(`insert into vector_copies (corpus, name, size) values (1, '${name}', 0)`)
      database.close()
      fs.mkdirSync(join(folder, `memory.db-vectors-${name}`))
      expect(await store.apply(change('many', 5000))).toBe('applied')
    })
    expect((await cosines()).length).toBe(5010)
    expect(await cosines()).toEqual(await cosinesOfTables())
  })

  it('never leads to a file of another kind of name', () => {
    fs.writeFileSync(join(folder, 'memory.db-vectors-x'), 'something else')
    const files = rowFiles(path)
    for (const name of ['x', '../other', '']) {
      expect(files.size(name)).toBe(0)
      expect(files.read(name, 1, new Uint8Array(1), () => {})).toBe(false)
      expect(() => files.write(name, 0, new Uint8Array(1))).toThrow(RangeError)
    }
    files.create([])
    expect(fs.readFileSync(join(folder, 'memory.db-vectors-x'), 'utf8')).toBe('something else')
  })
})
