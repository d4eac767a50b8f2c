import { inspect } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { openExecutor } from '../../../src/bridging/executors/open.ts'
import { claudeCode } from '../../../src/hosts/registry.ts'
import { realSystem } from '../../../src/util/system.ts'
import { type JsonServer, jsonServer } from '../../helpers/json-server.ts'
import { preparedRun } from './slice-file.ts'

let server: JsonServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

const open = (address: string) => {
  const values: Record<string, string> = {
    MEMU_EXECUTOR_BASE_URL: address,
    MEMU_EXECUTOR_MODEL: 'm1',
    MEMU_EXECUTOR_API_KEY: 'sk-test-51c0ffee51c0ffee',
  }
  return openExecutor('openai', { spec: claudeCode, system: realSystem(), value: (key) => values[key] })
}

describe('the address of the endpoint executor', () => {
  it('is refused with a user or password in it, without a word of them', async () => {
    const refused = await open('http://someone:hidden-word@127.0.0.1:1/v1?key=hidden-word').catch((error: unknown) => error)
    expect(refused).toMatchObject({ code: 'invalid_config', exit: 2, hint: expect.stringContaining('MEMU_EXECUTOR_API_KEY') })
    expect(inspect(refused, { depth: 9 })).not.toMatch(/someone|hidden-word/)
  })

  it('is asked with its query, which stands in no result and no log, nor does a piece of the key', async () => {
    server = await jsonServer(({ path }) => ({ status: 401, body: `${path}: wrong key sk-test-51c0****` }))
    const prepared = preparedRun([{ says: ['We use pnpm.'] }])
    const result = await (await open(`${server.url}/v1?key=hidden-word`)).run(prepared)
    expect(server.asked[0]?.path).toBe('/v1/chat/completions?key=hidden-word')
    expect(result.failed[0]?.reason).toContain('HTTP 401: /v1/chat/completions?key=[key]: wrong key [key]')
    expect(inspect([result, prepared.logged], { depth: 9 })).not.toMatch(/hidden-word|51c0/)
  })
})
