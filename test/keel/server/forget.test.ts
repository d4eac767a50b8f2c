import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MemuError } from '../../../src/util/errors.ts'
import { type TestServer, testServer } from './server.ts'

let at: TestServer
beforeEach(async () => {
  at = await testServer()
})
afterEach(() => at.end())

describe('forgetting over HTTP', () => {
  it('forgets one proposal, or everything, and answers with the state', async () => {
    expect((await at.api('/api/forget', { proposal_id: 'p1' })).json()).toMatchObject({ version: 0, offscreen: { status: 'pending' } })
    expect(await at.api('/api/forget', { all: true })).toMatchObject({ status: 200 })
    expect(at.app.forgotten).toEqual(['p1', undefined])
  })

  it('takes it as a form, without JavaScript, and leads back to the history that was shown', async () => {
    const led = async (fields: Record<string, string>) => (await at.form('/forget', fields)).headers.location
    expect(await led({ proposal_id: 'p1', days: '91' })).toBe('/history?days=91&forgotten')
    expect(await led({ all: 'true' })).toBe('/history?days=28&forgotten')
    for (const days of ['0', '1000', '7&x=1', '//evil.example', ''])
      expect(await led({ all: 'true', days })).toBe('/history?days=28&forgotten')
    expect(at.app.forgotten).toEqual(['p1', ...Array(6).fill(undefined)])
    expect((await at.ask('GET', '/history?days=91&forgotten')).body).toMatch(/<p class="said" role="status">Forgotten\./)
    expect((await at.ask('GET', '/history?days=91')).body).toContain('<p class="said" role="status"></p>')
  })

  it('forgets nothing where what is meant is not named, or twice', async () => {
    const bodies = [
      {},
      { proposal_id: '' },
      { proposal_id: 7 },
      { all: false },
      { all: 'true' },
      { all: 1 },
      { proposal_id: 'p1', all: true },
    ]
    for (const body of [...bodies, { proposal_id: null, all: true }])
      expect(await at.api('/api/forget', body), JSON.stringify(body)).toMatchObject({ status: 400 })
    const forms: Record<string, string>[] = [{}, { proposal_id: '' }, { all: '' }, { all: 'false' }, { proposal_id: 'p1', all: 'true' }]
    for (const fields of forms) expect(await at.form('/forget', fields), JSON.stringify(fields)).toMatchObject({ status: 400 })
    for (const path of ['/forget', '/api/forget']) expect(await at.ask('GET', path)).toMatchObject({ status: 405 })
    expect(at.app.forgotten).toEqual([])
  })

  it('says why it could not, on a page and to the API', async () => {
    const failures: [MemuError, number][] = [
      [new MemuError('busy', 'A task is being added.', { hint: 'Wait a moment.' }), 409],
      [new MemuError('not_forgotten', 'The <b>disk</b> is full.', { hint: 'Try again.' }), 502],
    ]
    for (const [error, status] of failures) {
      at.app.next = error
      const answer = await at.api('/api/forget', { all: true })
      expect(answer.status).toBe(status)
      expect(answer.json()).toMatchObject({ error: { code: error.code } })
      at.app.next = error
      const page = await at.form('/forget', { all: 'true', days: '7' })
      expect(page).toMatchObject({ status, headers: { 'content-type': 'text/html; charset=utf-8' } })
      expect(page.body).toContain(error.message.replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
      expect(page.body).toContain('<title>Not forgotten: History')
      expect(at.app.historyAsked.at(-1)).toMatchObject({ days: 7 })
    }
  })

  it('refuses what another page sends, and what does not say where it comes from unless it is JSON', async () => {
    const foreign = [
      await at.form('/forget', { all: 'true' }, { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }),
      await at.form('/forget', { all: 'true' }, { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }),
      await at.api('/api/forget', { all: true }, { origin: 'http://evil.example' }),
      await at.api('/api/forget', { all: true }, { host: 'evil.example' }),
      await at.ask('POST', '/forget', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'all=true' }),
      await at.ask('POST', '/api/forget', { headers: { 'content-type': 'text/plain' }, body: '{"all":true}' }),
      await at.ask('POST', '/api/forget', { body: '{"all":true}' }),
    ]
    expect(foreign.map(({ status }) => status)).toEqual(Array(7).fill(403))
    expect(await at.form('/api/forget', { all: 'true' })).toMatchObject({ status: 415 })
    expect(await at.form('/forget', { all: 'true' }, { 'content-type': 'application/json' })).toMatchObject({ status: 415 })
    expect(at.app.forgotten).toEqual([])
  })

  it('asks for the token, where there is one', async () => {
    const guarded = await testServer({ token: 'a-long-enough-token' })
    try {
      expect(await guarded.api('/api/forget', { all: true })).toMatchObject({ status: 401 })
      expect(await guarded.form('/forget', { all: 'true' })).toMatchObject({ status: 401 })
      expect(guarded.app.forgotten).toEqual([])
      const bearer = { authorization: 'Bearer a-long-enough-token' }
      expect(await guarded.api('/api/forget', { all: true }, bearer)).toMatchObject({ status: 200 })
    } finally {
      await guarded.end()
    }
  })
})
