/** Records events one by one, as a daemon does, and says after each that it is remembered. It waits then, to be killed. */
import { awClient } from '../../src/keel/aw/client.ts'
import { openMemory } from '../../src/keel/memory/open.ts'
import { realSystem } from '../../src/util/system.ts'

const [url = '', file = '', from = '0', count = '1'] = process.argv.slice(2)
const system = realSystem()
const memory = openMemory({ aw: awClient({ url, system }), file, system, probeEveryMs: 10, copyPatienceMs: 60_000 })

async function main(): Promise<void> {
  await memory.flush()
  for (let n = Number(from); n < Number(from) + Number(count); n++) {
    await memory.record({ kind: 'proposal_made', at: new Date(Date.UTC(2026, 5, 5) + n), data: { n, proposal_id: `p${n}` } })
    process.stdout.write(`remembered ${n}\n`)
    await memory.flush()
  }
  process.stdout.write('all\n')
  setInterval(() => {}, 1000)
}

void main()
