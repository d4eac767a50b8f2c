/** A task tool as `KEEL_MARVIN_CMD` names it: adds to `added.txt` in the home, and ends as the title says: `perhaps` by a signal afterwards, `never` with 1 before. */
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'

const [what, , title = ''] = process.argv.slice(2)
if (what === 'add') {
  if (title.includes('never')) {
    process.stderr.write('the list is locked\n')
    process.exit(1)
  }
  appendFileSync(join(process.env.HOME, 'added.txt'), `${title}\n`)
  if (title.includes('perhaps')) process.kill(process.pid, 'SIGKILL')
} else process.stdout.write('ID,TITLE\n1,Water the plants\n')
