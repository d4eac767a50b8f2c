import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { resolveSettings } from '../../src/config/settings.ts'
import { localEmbedder } from '../../src/embedding/local/embedder.ts'
import { openEmbedder } from '../../src/embedding/open.ts'
import { PROVIDERS } from '../../src/embedding/providers.ts'
import { realSystem } from '../../src/util/system.ts'
import { embedderContract } from '../contract/embedder.ts'
import { embeddingServer } from '../helpers/embedding-server.ts'
import type { JsonServer } from '../helpers/json-server.ts'

let server: JsonServer
let home: string
beforeAll(async () => {
  server = await embeddingServer()
  home = mkdtempSync(join(tmpdir(), 'memu-embedder-'))
})
afterAll(() => server.close())

embedderContract('local', () => localEmbedder())

for (const { name } of PROVIDERS) {
  embedderContract(name, () => {
    const env = { MEMU_EMBED_PROVIDER: name, MEMU_BASE_URL: server.url, MEMU_EMBED_MODEL: 'a-model', MEMU_API_KEY: 'a-key' }
    const settings = resolveSettings({ file: new Map(), env, configFile: '/config.env', home, cwd: '/' })
    return openEmbedder(settings, { ...realSystem(), env, home })
  })
}
