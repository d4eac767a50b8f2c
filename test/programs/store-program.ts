/** What the store tests run in processes of their own. Prints one JSON value, or an error's code. */
import { localBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'
import { sqlStore } from '../../src/store/sql/sql-store.ts'
import { sqliteDriver } from '../../src/store/sqlite/sqlite-driver.ts'
import { type Database, type Statement, sqliteClass } from '../../src/util/sqlite.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'

const [verb, db = '', argument = ''] = process.argv.slice(2)
const embedder = fakeEmbedder()

/** A file-size limit comes with a signal that would end the process before SQLite can say anything. */
process.on('SIGXFSZ', () => {})

async function work(): Promise<unknown> {
  switch (verb) {
    case 'commit-many': {
      // Files of its own, and one that all processes write.
      const backend = await openLocal({ db, embedder })
      for (let round = 0; round < 15; round++) {
        await backend.commitResults({
          recall_files: [
            { name: `${argument}-${round}`, content: `written by ${argument} in round ${round}` },
            { name: 'shared', content: `last writer ${argument} ${round}` },
          ],
        })
      }
      await backend.close()
      return 'committed'
    }
    case 'commit-large': {
      const backend = await openLocal({ db, embedder })
      const lines = Array.from({ length: 20_000 }, (_, index) => `line ${index} of ${argument}`)
      const receipt = await backend.commitResults({ recall_files: [{ name: argument, content: lines.join('\n') }] })
      await backend.close()
      return receipt
    }
    case 'commit': {
      const backend = await openLocal({ db, embedder })
      return backend.commitResults({ recall_files: [{ name: 'new', content: 'written by the program' }] })
    }
    case 'retrieve': {
      const backend = await openLocal({ db, embedder, readOnly: true })
      return (await backend.progressiveRetrieve(argument)).segments.map(({ text }) => text)
    }
    case 'die-at': {
      const database = dyingDatabase(new (sqliteClass())(db, { timeout: 5000 }), Number(argument))
      const backend = localBackend({ store: sqlStore(sqliteDriver(database, db)), embedder: async () => embedder, now: () => new Date() })
      await backend.commitResults({
        recall_files: [
          { name: 'old', content: 'replaced line\nsecond line' },
          { name: 'new', content: 'first new line\nsecond new line' },
        ],
        resource: [{ url: '/r', caption: 'a new resource' }],
        forget: [{ track: 'memory', name: 'other' }],
      })
      return 'survived'
    }
    default:
      throw new Error(`unknown verb ${verb}`)
  }
}

/** Dies by SIGKILL before its n-th statement. */
function dyingDatabase(database: Database, most: number): Database {
  let count = 0
  const step = () => {
    if (++count === most) process.kill(process.pid, 'SIGKILL')
  }
  const counted = (statement: Statement): Statement => ({
    all(...params) {
      step()
      return statement.all(...params)
    },
    get(...params) {
      step()
      return statement.get(...params)
    },
    iterate(...params) {
      step()
      return statement.iterate(...params)
    },
    run(...params) {
      step()
      return statement.run(...params)
    },
    setReadBigInts: (enabled) => statement.setReadBigInts(enabled),
  })
  return {
    exec(sql) {
      step()
      database.exec(sql)
    },
    prepare: (sql) => counted(database.prepare(sql)),
    close: () => database.close(),
  }
}

work().then(
  (result) => process.stdout.write(`${JSON.stringify(result)}\n`),
  (error: { code?: string; message?: string; hint?: string }) => {
    process.stdout.write(`${JSON.stringify({ code: error.code, message: error.message, hint: error.hint })}\n`)
    process.exitCode = 1
  },
)
