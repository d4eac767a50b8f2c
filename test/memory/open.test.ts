import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Settings } from '../../src/config/settings.ts'
import { openBackend, openLocal } from '../../src/memory/open.ts'
import { realSystem } from '../../src/util/system.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

function settings(parts: Partial<Settings>): Settings {
  return {
    mode: 'local',
    embedding: { provider: 'local' },
    configFile: '/home/dev/.memu/config.env',
    debug: false,
    value: () => undefined,
    ...parts,
  }
}

test('without MEMU_DB nothing is guessed: the error names the key and the file', async () => {
  for (const parts of [{}, { db: '' }]) {
    await expect(openBackend(settings(parts), realSystem())).rejects.toMatchObject({
      code: 'no_store',
      exit: 2,
      message: expect.stringMatching(/MEMU_DB.*\/home\/dev\/\.memu\/config\.env/),
      hint: expect.stringContaining('MEMU_DB='),
    })
  }
})

test('the cloud mode is refused with the line that leaves it', async () => {
  await expect(openBackend(settings({ mode: 'cloud' }), realSystem())).rejects.toMatchObject({
    code: 'cloud_unavailable',
    exit: 2,
    hint: expect.stringContaining('MEMU_MEMORY_MODE=local'),
  })
})

test('a store below the home directory is made there, with its folder', async () => {
  const system = { ...realSystem(), home: temporaryFolder() }
  const backend = await openBackend(settings({ db: '~/.memu/memory.db' }), system)
  await backend.commitResults({ recall_files: [{ name: 'a', content: 'tabs over spaces' }] })
  expect((await backend.progressiveRetrieve('tabs or spaces')).segments[0]!.text).toBe('tabs over spaces')
  await backend.close()
  expect(existsSync(join(system.home, '.memu/memory.db'))).toBe(true)
})

test('a listing and a text-only answer never open the embedder', async () => {
  const db = join(temporaryFolder(), 'memory.db')
  const writer = await openLocal({ db, embedder: fakeEmbedder() })
  await writer.commitResults({ recall_files: [{ name: 'a', content: 'tabs over spaces' }] })
  await writer.close()
  const embedder = () => Promise.reject(new Error('was opened'))
  const reader = await openLocal({ db, embedder, readOnly: true })
  expect((await reader.listAllRecallFiles()).recall_files).toHaveLength(1)
  expect((await reader.progressiveRetrieve('tabs', { lanes: 'text' })).segments).toHaveLength(1)
  expect((await reader.progressiveRetrieve('tabs')).notice).toContain('was opened')
  await reader.close()
})
