import { expect, it } from 'vitest'
import { backendName, openProposer } from '../../../src/keel/ai/open.ts'
import { BACKENDS } from '../../../src/keel/ai/settings.ts'
import { testSystem } from './system.ts'

it.each(BACKENDS)('opens %s without starting or asking anything', async (backend) => {
  const system = {
    ...testSystem(),
    fetch: () => expect.unreachable(),
    processes: () => expect.unreachable(),
  }
  expect((await openProposer({ backend, url: 'http://localhost:1' }, system)).name).toBe(backend)
})

it('takes a name as people write it, and the built-in rules where there is none', () => {
  expect(['', ' ', ' Claude\n', 'BUILTIN'].map(backendName)).toEqual(['builtin', 'builtin', 'claude', 'builtin'])
})

it.each(['gpt', 'constructor', '__proto__', 'claude;codex'])('refuses a name that is none: %s', async (backend) => {
  await expect(openProposer({ backend }, testSystem())).rejects.toThrow(
    expect.objectContaining({ code: 'invalid_backend', exit: 2, hint: 'Choose one of builtin, claude, codex, ollama, openai.' }),
  )
})

it('refuses an address that is none before anything is asked', async () => {
  await expect(openProposer({ backend: 'ollama', url: 'nonsense' }, testSystem())).rejects.toThrow(
    expect.objectContaining({ code: 'invalid_setting' }),
  )
})
