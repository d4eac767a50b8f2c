/** What two lanes find together that one alone would not, with the embedded model. */
import { beforeAll, describe, expect, test } from 'vitest'
import type { LocalBackend } from '../../src/memory/local.ts'
import { openLocal } from '../../src/memory/open.ts'

let backend: LocalBackend

beforeAll(async () => {
  backend = await openLocal({ db: ':memory:' })
  await backend.commitResults({
    recall_files: [
      {
        name: 'errors',
        content:
          '- the proxy answers ERR_X9Q_42 when its certificate has expired\n- ERR_X9Q_41 means a wrong password\n- restart the service after a change',
      },
      { name: 'people', content: '- The designer prefers short meetings in the morning\n- The platform team owns the billing service' },
      {
        name: 'database',
        content: '- the nightly backup of the database is copied to another region\n- migrations run before the deployment',
      },
      { name: 'food', content: '- the canteen serves soup on Mondays' },
    ],
  })
})

async function best(query: string, lanes: 'hybrid' | 'text' | 'vector' = 'hybrid'): Promise<string | undefined> {
  return (await backend.progressiveRetrieve(query, { lanes })).segments[0]?.text
}

describe('retrieval', () => {
  test('finds an identifier that no model knows by its exact text', async () => {
    expect(await best('what does ERR_X9Q_42 mean')).toContain('ERR_X9Q_42')
    expect(await best('ERR_X9Q_41')).toContain('ERR_X9Q_41')
  })

  test('finds a paraphrase without a word in common', async () => {
    const query = 'where do we keep snapshots of our data'
    expect((await backend.progressiveRetrieve(query, { lanes: 'text' })).segments).toEqual([])
    expect(await best(query)).toContain('nightly backup')
  })

  test('rolls segments up to their files', async () => {
    const { files } = await backend.progressiveRetrieve('ERR_X9Q_42 expired certificate')
    expect(files[0]).toMatchObject({ name: 'errors' })
    expect(files[0]!.text_score).toBeGreaterThan(0)
    expect(files[0]!.similarity).toBeGreaterThan(0.3)
  })

  test('answers with one lane alone where a benchmark asks for it', async () => {
    const text = await backend.progressiveRetrieve('certificate', { lanes: 'text' })
    expect(text.segments.every(({ similarity }) => similarity === 0)).toBe(true)
    expect(text.notice).toBeUndefined()
    const vector = await backend.progressiveRetrieve('certificate', { lanes: 'vector' })
    expect(vector.segments.every(({ text_score }) => text_score === 0)).toBe(true)
  })
})
