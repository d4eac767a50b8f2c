import { describe, expect, test } from 'vitest'
import { openLocal } from '../../src/memory/open.ts'
import { fakeEmbedder } from '../helpers/fake-embedder.ts'

const key = { track: 'memory', name: 'a' }
const open = () => openLocal({ db: ':memory:', embedder: fakeEmbedder() })
const write = (content: string, parts = {}) => ({ recall_files: [{ name: 'a', content, ...parts }] })

test('one file is got by its key as the listing has it, and none that was forgotten or of another scope', async () => {
  const backend = await open()
  await backend.commitResults(write('words', { description: 'why', provenance: { host: 'codex' } }))
  await backend.commitResults({ ...write('of another'), user: { user_id: 'u' } })
  const listed = (await backend.listAllRecallFiles({ where: { user_id: '' } })).recall_files
  expect(await backend.get(key)).toEqual(listed[0])
  expect(await backend.get(key, { user_id: 'u' })).toMatchObject({ content: 'of another' })
  expect(await backend.get({ track: 'skill', name: 'a' })).toBeUndefined()
  await backend.commitResults({ forget: [key] })
  expect(await backend.get(key)).toBeUndefined()
})

describe('restore', () => {
  test('brings a forgotten file back, found again at once', async () => {
    const backend = await open()
    await backend.commitResults(write('kept words', { description: 'why', provenance: { host: 'codex' } }))
    await backend.commitResults({ forget: [key] })
    await backend.restore(key)
    expect((await backend.listAllRecallFiles()).recall_files).toMatchObject([
      { name: 'a', content: 'kept words', description: 'why', provenance: { host: 'codex' } },
    ])
    expect((await backend.progressiveRetrieve('kept')).segments[0]!.text).toBe('kept words')
  })

  test('takes the last change back, and taken twice, brings it again', async () => {
    const backend = await open()
    await backend.commitResults(write('first'))
    await backend.commitResults(write('second'))
    await backend.restore(key)
    expect((await backend.listAllRecallFiles()).recall_files[0]!.content).toBe('first')
    await backend.restore(key)
    expect((await backend.listAllRecallFiles()).recall_files[0]!.content).toBe('second')
    expect((await backend.history(key)).map(({ change, content }) => [change, content])).toEqual([
      ['restored', 'second'],
      ['restored', 'first'],
      ['updated', 'second'],
      ['created', 'first'],
    ])
  })

  test('goes back to any version of the history by its number, and that is a new version', async () => {
    const backend = await open()
    for (const content of ['first', 'second', 'third']) await backend.commitResults(write(content))
    await backend.commitResults({ forget: [key] })
    expect((await backend.history(key)).map(({ version, change, content }) => [version, change, content])).toEqual([
      [4, 'forgotten', 'third'],
      [3, 'updated', 'third'],
      [2, 'updated', 'second'],
      [1, 'created', 'first'],
    ])
    const receipt = await backend.restore(key, { version: 1 })
    expect(receipt.recall_files).toMatchObject([{ track: 'memory', name: 'a', change: 'created' }])
    expect((await backend.listAllRecallFiles()).recall_files[0]!.content).toBe('first')
    expect((await backend.progressiveRetrieve('first')).segments[0]!.text).toBe('first')
    expect((await backend.history(key))[0]).toMatchObject({ version: 5, change: 'restored', content: 'first' })
    await backend.restore(key, { version: 2 })
    expect((await backend.listAllRecallFiles()).recall_files[0]!.content).toBe('second')
  })

  test('refuses a version that is none, naming those there are', async () => {
    const backend = await open()
    await backend.commitResults(write('first'))
    await backend.commitResults({ forget: [key] })
    const refused = { code: 'no_such_version', exit: 2, hint: expect.stringContaining('Versions to restore: 1.') }
    for (const version of [0, 3, -1, 1.5, Number.NaN]) await expect(backend.restore(key, { version })).rejects.toMatchObject(refused)
    await expect(backend.restore(key, { version: 2 })).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining('the forgetting'),
    })
    await expect(backend.restore({ track: 'memory', name: 'never' }, { version: 1 })).rejects.toMatchObject({ code: 'no_such_version' })
    expect(await backend.history(key)).toHaveLength(2)
  })

  test('says that there is nothing to restore where a file never was, or never changed', async () => {
    const backend = await open()
    await expect(backend.restore(key)).rejects.toMatchObject({ code: 'nothing_to_restore' })
    await backend.commitResults(write('only'))
    await expect(backend.restore(key)).rejects.toMatchObject({ code: 'nothing_to_restore' })
  })
})

test('the history keeps where each version came from', async () => {
  const backend = await open()
  await backend.commitResults(write('one', { provenance: { host: 'codex', sessions: ['s1'], projects: ['/p'] } }))
  await backend.commitResults(write('two', { provenance: { host: 'claude-code', sessions: ['s2'] } }))
  expect((await backend.history(key)).map(({ provenance }) => provenance)).toEqual([
    { host: 'claude-code', sessions: ['s2'] },
    { host: 'codex', sessions: ['s1'], projects: ['/p'] },
  ])
})
