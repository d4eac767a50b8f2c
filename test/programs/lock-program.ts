/** Counts up the number in a file, so many times, each time under the lock. With `die` it ends in the middle of the first. */
import { readFileSync } from 'node:fs'
import { MemuError } from '../../src/util/errors.ts'
import { writeFileAtomic } from '../../src/util/fs.ts'
import { acquireLock, type Lock } from '../../src/util/lock.ts'

const [path = '', counter = '', rounds = '1', mode = ''] = process.argv.slice(2)

function tryLock(): Lock | undefined {
  try {
    return acquireLock(path, { purpose: 'count' })
  } catch (error) {
    if (error instanceof MemuError && error.code === 'locked') return undefined
    throw error
  }
}

for (let round = 0; round < Number(rounds); ) {
  const lock = tryLock()
  if (lock === undefined) continue
  const value = Number(readFileSync(counter, 'utf8'))
  if (mode === 'die') process.kill(process.pid, 'SIGKILL')
  writeFileAtomic(counter, String(value + 1))
  lock.release()
  round++
}
