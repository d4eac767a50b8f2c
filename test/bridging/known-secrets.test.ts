import * as fs from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { knownSecrets } from '../../src/bridging/known-secrets.ts'
import { temporaryFolder } from '../helpers/temporary.ts'

it('knows the keys and passwords of the environment and of the file, and takes no word for one', () => {
  const home = temporaryFolder()
  fs.mkdirSync(join(home, '.memu'))
  fs.writeFileSync(join(home, '.memu', 'config.env'), 'MEMU_API_KEY=key-of-the-file\nMEMU_DB=postgres://memu:Wren%2155x@db/memory\n')
  const known = (env: Record<string, string>) => knownSecrets({ env, home, cwd: home }).map(({ value }) => value)
  expect(known({ MEMU_API_KEY: 'key-of-the-environment', MEMU_EXECUTOR_API_KEY: 'ollama' })).toEqual(
    expect.arrayContaining(['key-of-the-file', 'key-of-the-environment', 'Wren%2155x', 'Wren!55x']),
  )
  const words = known({ MEMU_API_KEY: 'unneeded', MEMU_EXECUTOR_API_KEY: 'ollama', MEMU_DB: 'postgres://postgres:postgres@db/memory' })
  expect(words).toEqual(expect.not.arrayContaining(['unneeded', 'ollama', 'postgres']))
  expect(known({ MEMU_API_KEY: 'KeyMadeOfLettersAlone' })).toContain('KeyMadeOfLettersAlone')
})
