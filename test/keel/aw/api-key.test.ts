import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { awAddress } from '../../../src/keel/aw/address.ts'
import { discoverKey } from '../../../src/keel/aw/api-key.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'

interface Configured {
  readonly platform?: NodeJS.Platform
  readonly folder?: readonly string[]
  readonly name?: string
  readonly text?: string
}

const KEY = '[auth]\napi_key = "from-config" # secret\n'

function keyFor(url: string, { platform = 'linux', folder = ['.config'], name = 'config.toml', text = KEY }: Configured = {}, env = {}) {
  const home = temporaryFolder()
  const config = join(home, ...folder, 'activitywatch', 'aw-server-rust')
  mkdirSync(config, { recursive: true })
  writeFileSync(join(config, name), text)
  return discoverKey(awAddress(url), { home, platform, env })
}

it('finds the key of the server on this machine, where each platform has it', () => {
  expect(keyFor('http://localhost:5600')).toBe('from-config')
  expect(keyFor('http://[::1]:5600')).toBe('from-config')
  expect(keyFor('http://127.0.0.1:5600', { platform: 'darwin', folder: ['Library', 'Application Support'] })).toBe('from-config')
  expect(keyFor('http://127.0.0.1:5600', { platform: 'win32', folder: ['AppData', 'Local'] })).toBe('from-config')
})

it('gives it to no other machine and to no other port', () => {
  expect(keyFor('http://aw.example:5600')).toBeUndefined()
  expect(keyFor('http://localhost.example:5600')).toBeUndefined()
  expect(keyFor('http://localhost:5601')).toBeUndefined()
  expect(keyFor('http://localhost')).toBeUndefined()
  expect(keyFor('http://localhost:5601', { text: `port = 5601\n${KEY}` })).toBe('from-config')
  expect(keyFor('http://localhost:5600', { text: `port = 5601\n${KEY}` })).toBeUndefined()
})

it('knows the server for tests by its port', () => {
  expect(keyFor('http://localhost:5666', { name: 'config-testing.toml' })).toBe('from-config')
  expect(keyFor('http://localhost:5666')).toBeUndefined()
})

it('has none where it is switched off, commented out, in another section, or where the file is something else', () => {
  for (const text of ['[auth]\napi_key = ""', '# [auth]\n# api_key = "x"', '[other]\napi_key = "x"', 'api_key = "x"', '\u0000\u0001', '']) {
    expect(keyFor('http://localhost:5600', { text })).toBeUndefined()
  }
  expect(keyFor('http://localhost:5600', { name: 'other.toml' })).toBeUndefined()
})
