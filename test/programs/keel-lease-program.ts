/** Takes the lease of a data folder, says whether it has it, and waits to be killed. */
import { takeLease } from '../../src/keel/daemon/lease.ts'

const [file = '', port = '1'] = process.argv.slice(2)
const lease = takeLease(file, { pid: process.pid, url: `http://localhost:${port}`, since: new Date(0).toISOString() })
process.stdout.write(lease.heldBy === undefined ? 'held\n' : `held by ${JSON.stringify(lease.heldBy)}\n`)
setInterval(() => {}, 1000)
