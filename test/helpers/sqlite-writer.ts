/** Another program that writes a SQLite database, as a process of its own: what it does and how often it was refused. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface SqliteWriter {
  /** How many changes it committed and the errors it met; asks it to end and waits for that. */
  end(): Promise<{ readonly commits: number; readonly errors: readonly string[] }>
}

/**
 * `commit`: a small commit every five milliseconds, each waiting up to two seconds for a lock.
 * `hold`: takes the whole file for itself for 200 ms, then lets go. Resolves when the first has happened or the lock is held.
 */
export async function sqliteWriter(path: string, what: 'commit' | 'hold'): Promise<SqliteWriter> {
  const child = spawn(process.execPath, ['--no-warnings', '-e', SCRIPT, path, what], { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  const closed = once(child, 'close')
  await new Promise<void>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', () => reject(new Error(`the writer ended: ${output}`)))
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      resolve()
    })
  })
  return {
    async end() {
      child.stdin.end()
      await closed
      return JSON.parse(output.slice(output.indexOf('{'))) as { commits: number; errors: string[] }
    },
  }
}

const SCRIPT = `
const [path, what] = process.argv.slice(1)
const [major, minor] = process.versions.node.split('.').map(Number)
const builtin = major > 22 || (major === 22 && minor >= 15)
const { DatabaseSync } = require(builtin ? 'node:sqlite' : '@photostructure/sqlite')
const database = new DatabaseSync(path)
database.exec('pragma busy_timeout = 2000; create table if not exists memu_test_probe (n integer)')
let commits = 0
const errors = []
let ended = false
function report() {
  database.close()
  console.log(JSON.stringify({ commits, errors }))
}
function commit() {
  if (ended) return report()
  try {
    database.exec('begin immediate; insert into memu_test_probe values (1); commit')
    commits++
  } catch (error) {
    errors.push(String(error.message))
    try { database.exec('rollback') } catch {}
  }
  if (commits === 1) console.log('writing')
  setTimeout(commit, 5)
}
function hold() {
  database.exec('begin exclusive; insert into memu_test_probe values (1)')
  console.log('held')
  setTimeout(() => {
    database.exec('commit')
    commits++
    report()
  }, 200)
}
process.stdin.resume().on('end', () => (ended = true))
if (what === 'hold') hold()
else commit()
`
