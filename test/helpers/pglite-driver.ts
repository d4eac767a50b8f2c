/** The SQL driver over PGlite: a real Postgres with pgvector in this process. */
import { PGlite } from '@electric-sql/pglite'
import { vector } from '@electric-sql/pglite-pgvector'
import { numberedPlaceholders, postgresDialect } from '../../src/store/postgres/dialect.ts'
import type { Driver, Row, Value } from '../../src/store/sql/driver.ts'

let shared: Promise<PGlite> | undefined
let schemas = 0

async function start(): Promise<PGlite> {
  const database = await PGlite.create({ extensions: { vector } })
  await database.exec('create extension vector')
  return database
}

/** Starting Postgres takes seconds, so that each driver gets an empty schema of one database. One driver at a time. */
export async function pgliteDriver(): Promise<Driver> {
  shared ??= start()
  const database = await shared
  const schema = `store${++schemas}`
  await database.exec(`create schema ${schema}; set search_path to ${schema}`)
  let last: Promise<unknown> = Promise.resolve()
  const all = async <R>(sql: string, params: readonly Value[] = []) =>
    (await database.query<R>(numberedPlaceholders(sql), [...params])).rows
  const run = async (sql: string, params: readonly Value[] = []) => {
    await all(sql, params)
  }
  async function transaction<T>(use: () => Promise<T>): Promise<T> {
    await database.exec('begin isolation level repeatable read')
    try {
      const result = await use()
      await database.exec('commit')
      return result
    } catch (error) {
      await database.exec('rollback')
      throw error
    }
  }
  return {
    kind: 'postgres',
    location: 'pglite',
    dialect: postgresDialect,
    all: <R = Row>(sql: string, params?: readonly Value[]) => all<R>(sql, params),
    get: async <R = Row>(sql: string, params?: readonly Value[]) => (await all<R>(sql, params))[0],
    run,
    async runMany(sql, rows) {
      for (const row of rows) await run(sql, row)
    },
    transaction(_mode, use) {
      const result = last.then(() => transaction(use))
      last = result.catch(() => {})
      return result
    },
    check: async () => [],
    backup: async () => undefined,
    close: async () => {},
  }
}
