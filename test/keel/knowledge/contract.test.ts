import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { awClient } from '../../../src/keel/aw/client.ts'
import { newFileSource } from '../../../src/keel/knowledge/file.ts'
import { newMemuSource } from '../../../src/keel/knowledge/memu.ts'
import { newScreenTime } from '../../../src/keel/screen-time/screen-time.ts'
import type { MemoryBackend } from '../../../src/memory/backend.ts'
import { knowledgeSourceContract } from '../../contract/knowledge-source.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'
import { fakeAw } from '../fake-aw/fake-aw.mjs'

knowledgeSourceContract({
  name: 'the file with goals',
  async open(behaviour, log) {
    const home = temporaryFolder()
    // Nothing makes a file wait; the test is over before the first byte is read.
    if (behaviour !== 'fails') writeFileSync(join(home, 'goals.md'), behaviour === 'empty' ? '\n' : '# Goals\n\n## Health\nrun\n')
    return newFileSource('~/goals.md', { home }, { log })
  },
})

knowledgeSourceContract({
  name: 'what memU knows',
  async open(behaviour, log) {
    const memory = {
      progressiveRetrieve: async () => ({ segments: [{ text: '## likes long walks' }], files: [], resources: [] }),
      close: async () => {},
    } as unknown as MemoryBackend
    const open = {
      full: async () => memory,
      empty: async () => undefined,
      fails: () => Promise.reject(new Error('disk\nfull')),
      hangs: () => new Promise<never>(() => {}),
    }[behaviour]
    return newMemuSource({ system: testSystem(), log, open, limitMs: 20_000 })
  },
})

knowledgeSourceContract({
  name: 'screen time',
  async open(behaviour, log) {
    const server = await fakeAw()
    onTestFinished(() => server.stop())
    const system = { ...testSystem(), now: () => new Date(2026, 5, 5, 12) }
    if (behaviour !== 'empty') {
      const at = new Date(2026, 5, 5, 9)
      server.watch('aw-watcher-window_here', 'currentwindow', 'here', [{ at, seconds: 3_600, data: { app: '## Code', title: 'x' } }])
      server.watch('aw-watcher-afk_here', 'afkstatus', 'here', [{ at, seconds: 3_600, data: { status: 'not-afk' } }])
    }
    if (behaviour === 'hangs') server.trouble = () => 'hang'
    if (behaviour === 'fails') await server.stop()
    return newScreenTime({ aw: awClient({ url: server.url, system }), system, host: 'here', log, limitMs: 20_000 })
  },
})
