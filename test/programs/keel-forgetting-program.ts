/** Forgets one proposal, as a daemon does, says so, and goes on until it is killed. */
import { awClient } from '../../src/keel/aw/client.ts'
import { openMemory } from '../../src/keel/memory/open.ts'
import { realSystem } from '../../src/util/system.ts'

const [url = '', file = '', value = '', when = 'up'] = process.argv.slice(2)
const system = realSystem()
const memory = openMemory({ aw: awClient({ url, system }), file, system, probeEveryMs: 10, copyPatienceMs: 60_000 })

async function main(): Promise<void> {
  // Else in the middle of what is on its way.
  if (when === 'up') await memory.flush()
  process.stdout.write('forgetting\n')
  await memory.forget({ field: 'proposal_id', value })
  process.stdout.write('forgotten\n')
  setInterval(() => {}, 1000)
}

void main()
