import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SECURITY_HEADERS } from '../../../src/keel/server/headers.ts'
import { MemuError } from '../../../src/util/errors.ts'
import { proposed } from './fake-app.ts'
import { type TestServer, testServer } from './server.ts'

let at: TestServer
beforeEach(async () => {
  at = await testServer({
    assets: new Map([['keel.css', { type: 'text/css; charset=utf-8', body: Buffer.from('main{}'), etag: '"abc"' }]]),
  })
})
afterEach(() => at.end())

describe('pages', () => {
  it.each(['/', '/history', '/settings', '/brief'])('answers GET %s with a whole document, and HEAD with its length', async (path) => {
    const page = await at.ask('GET', path)
    expect(page).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(page.body).toMatch(/^<!doctype html>[\s\S]*<\/html>\s*$/i)
    const head = await at.ask('HEAD', path)
    expect(head).toMatchObject({ status: 200, body: '' })
    expect(head.headers['content-length']).toBe(String(Buffer.byteLength(page.body)))
  })

  it('shows text as text: what a brief holds is never markup', async () => {
    const { body } = await at.ask('GET', '/brief')
    expect(body).toContain('&lt;b&gt;walk&lt;/b&gt;')
    expect(body).not.toContain('<b>walk')
  })

  it('says 404 for what is not there, and 405 with what is allowed for a method that is not', async () => {
    expect(await at.ask('GET', '/nowhere')).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect((await at.ask('GET', '/api/nowhere')).json()).toMatchObject({ error: { code: 'not_found' } })
    expect(await at.api('/history', {})).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
    expect(await at.ask('GET', '/api/command')).toMatchObject({ status: 405, headers: { allow: 'POST, OPTIONS' } })
    expect(await at.ask('DELETE', '/')).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } })
    expect(await at.ask('OPTIONS', '/api/settings')).toMatchObject({ status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS' } })
  })

  it('puts the same security headers on every answer, errors included, and never one that lets another origin read', async () => {
    const answers = [
      await at.ask('GET', '/'),
      await at.ask('GET', '/nowhere'),
      await at.ask('GET', '/assets/nothing.js'),
      await at.ask('GET', '/api/state'),
      await at.ask('GET', '/api/state', { headers: { origin: 'http://evil.example' } }),
      await at.ask('GET', '/', { headers: { host: 'evil.example' } }),
      await at.ask('PUT', '/'),
      await at.ask('OPTIONS', '/api/command', { headers: { origin: 'http://evil.example' } }),
      await at.api('/api/command', '{'),
      await at.form('/command', { name: 'start' }),
      await at.ask('GET', '/healthz'),
    ]
    for (const { headers } of answers) {
      expect(headers).toMatchObject(SECURITY_HEADERS)
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    }
    expect(SECURITY_HEADERS['content-security-policy']).not.toContain('unsafe')
  })

  it('gives out the page’s files by their names alone, and says when they are still the same', async () => {
    const file = await at.ask('GET', '/assets/keel.css')
    expect(file).toMatchObject({
      status: 200,
      body: 'main{}',
      headers: { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'no-cache' },
    })
    expect(await at.ask('GET', '/assets/keel.css', { headers: { 'if-none-match': '"abc"' } })).toMatchObject({ status: 304, body: '' })
    for (const path of [
      '/assets/',
      '/assets/../package.json',
      '/assets/%2e%2e/package.json',
      '/assets/..%2fpackage.json',
      '/assets/__proto__',
    ]) {
      expect(await at.ask('GET', path), path).toMatchObject({ status: 404 })
    }
  })
})

describe('commands', () => {
  it('takes them as JSON, and answers start at once with 202 and the state', async () => {
    expect(await at.api('/api/command', { name: 'start' })).toMatchObject({ status: 202 })
    const dismissed = await at.api('/api/command', { name: 'dismiss', proposal_id: 'p1', args: { reason: 'raining' } })
    expect(dismissed).toMatchObject({ status: 200 })
    expect(dismissed.json()).toMatchObject({ version: 0, offscreen: { status: 'pending' }, memory: { where: 'embedded', waiting: 2 } })
    await at.api('/api/command', { name: 'snooze', proposal_id: 'p1', args: { minutes: 15 } })
    await at.api('/api/command', { name: 'edit', args: { text: 'Walk to the park' } })
    await at.api('/api/command', { name: 'confirm', args: { text: 'Take a walk', again: true } })
    expect(at.app.commands).toEqual([
      { name: 'start' },
      { name: 'dismiss', proposalId: 'p1', reason: 'raining' },
      { name: 'snooze', proposalId: 'p1', minutes: 15 },
      { name: 'edit', text: 'Walk to the park' },
      { name: 'confirm', text: 'Take a walk', again: true },
    ])
  })

  it('takes them as forms, without JavaScript, and leads back to the page', async () => {
    expect(await at.form('/command', { name: 'snooze', proposal_id: 'p1', minutes: '15', reason: '' })).toMatchObject({
      status: 303,
      headers: { location: '/' },
    })
    await at.form('/command', { name: 'confirm', proposal_id: 'p1', text: 'Take a walk', again: 'true' })
    expect(at.app.commands).toEqual([
      { name: 'snooze', proposalId: 'p1', minutes: 15 },
      { name: 'confirm', proposalId: 'p1', text: 'Take a walk', again: true },
    ])
  })

  it('takes a form of the page whose browser keeps its address to itself', async () => {
    expect(await at.form('/command', { name: 'start' }, { origin: 'null' })).toMatchObject({ status: 303 })
  })

  it('refuses a stale tab with 409, on the page with the words and the state of now', async () => {
    at.app.become(proposed('new', 'Water the plants'))
    const answer = await at.api('/api/command', { name: 'confirm', proposal_id: 'old' })
    expect(answer.status).toBe(409)
    expect(answer.json()).toEqual({ error: { code: 'stale_proposal', message: 'Not the current one.', hint: 'Load again.' } })
    const page = await at.form('/command', { name: 'confirm', proposal_id: 'old' })
    expect(page).toMatchObject({ status: 409, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(page.body).toContain('Not the current one.')
    expect(page.body).toContain('Water the plants')
  })

  it('leaves room for others while one of them takes long, however often that is asked for', async () => {
    let end: () => void = () => {}
    const over = new Promise<void>((resolve) => (end = resolve))
    const slow = await testServer({ app: Promise.resolve({ ...at.app, command: () => over }) })
    try {
      const answers = Array.from({ length: 40 }, () => slow.api('/api/command', { name: 'confirm' }))
      const refused = await Promise.race(answers)
      expect(refused).toMatchObject({ status: 503 })
      expect(refused.json()).toMatchObject({ error: { code: 'too_many_requests' } })
      expect(await slow.ask('GET', '/api/state')).toMatchObject({ status: 200 })
      end()
      const statuses = (await Promise.all(answers)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 503)).toHaveLength(8)
      expect(statuses.filter((status) => status === 200)).toHaveLength(32)
      expect(await slow.api('/api/command', { name: 'confirm' })).toMatchObject({ status: 200 })
    } finally {
      await slow.end()
    }
  })

  it.each([
    ['unknown_command', 400],
    ['invalid_argument', 400],
    ['busy', 409],
    ['nothing_to_confirm', 409],
    ['nothing_to_dismiss', 409],
    ['perhaps_added', 409],
    ['stopping', 503],
    ['task_create_failed', 502],
  ])('answers %s with %i', async (code, status) => {
    at.app.next = new MemuError(code, 'No.')
    expect(await at.api('/api/command', { name: 'confirm' })).toMatchObject({ status })
    at.app.next = new MemuError(code, 'No.')
    expect(await at.form('/command', { name: 'confirm' })).toMatchObject({ status })
    expect(at.logged).toEqual([])
  })

  it('says nothing of a fault of its own but that there was one; the log says more, on one line', async () => {
    for (const send of [() => at.api('/api/command', { name: 'start' }), () => at.form('/command', { name: 'start' })]) {
      at.app.next = new TypeError('secret\npath /home/me')
      const answer = await send()
      expect(answer.status).toBe(500)
      expect(answer.body).not.toContain('secret')
    }
    expect(at.logged).toEqual([
      'server: POST /api/command failed (secret path /home/me)',
      'server: POST /command failed (secret path /home/me)',
    ])
  })

  it('writes a failure that comes again and again only once, so that nobody can fill the log', async () => {
    for (let request = 0; request < 5; request++) {
      at.app.next = new TypeError('again')
      expect(await at.api('/api/command', { name: 'start' })).toMatchObject({ status: 500 })
    }
    expect(at.logged).toEqual(['server: POST /api/command failed (again)'])
  })

  it.each([
    ['no JSON', '{', 400],
    ['no object', '[1]', 400],
    ['null', 'null', 400],
    ['a name that is no text', '{"name":{"toString":1}}', 400],
    ['a name that is many lists', `{"name":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 400],
    ['no name', '{}', 400],
    ['arguments that are no object', '{"name":"start","args":[]}', 400],
    ['more than 64 KiB', JSON.stringify({ name: 'x'.repeat(65_536) }), 413],
  ])('refuses a body with %s, and the daemon never hears of it', async (_, body, status) => {
    expect(await at.api('/api/command', body)).toMatchObject({ status })
    expect(at.app.commands).toEqual([])
  })

  it('takes a body of exactly 64 KiB', async () => {
    const frame = JSON.stringify({ name: 'edit', args: { text: '' } })
    const body = JSON.stringify({ name: 'edit', args: { text: 'x'.repeat(65_536 - frame.length) } })
    expect(Buffer.byteLength(body)).toBe(65_536)
    expect(await at.api('/api/command', body)).toMatchObject({ status: 200 })
  })

  it('refuses what another page sends, and what does not say where it comes from unless it is JSON', async () => {
    const foreign = [
      await at.form('/command', { name: 'start' }, { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }),
      await at.form('/command', { name: 'start' }, { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-site' }),
      await at.api('/api/command', { name: 'start' }, { origin: 'http://evil.example' }),
      await at.ask('POST', '/command', { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=start' }),
      await at.ask('POST', '/api/command', { headers: { 'content-type': 'text/plain' }, body: '{"name":"start"}' }),
      await at.ask('POST', '/api/command', { body: '{"name":"start"}' }),
    ]
    expect(foreign.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403, 403])
    expect(await at.form('/api/command', { name: 'start' })).toMatchObject({ status: 415 })
    expect(at.app.commands).toEqual([])
  })
})

describe('settings', () => {
  it('changes what differs and nothing else, and shows the page again', async () => {
    expect(await at.form('/settings', { ai_backend: 'ollama', ai_model: '' })).toMatchObject({
      status: 303,
      headers: { location: '/settings?saved' },
    })
    expect(await at.form('/settings', { ai_backend: 'ollama', ai_model: '' })).toMatchObject({ status: 303 })
    expect(at.app.changes).toEqual([{ ai_backend: 'ollama' }])
  })

  it('answers the API with all of them', async () => {
    const changed = await at.api('/api/settings', { values: { ai_model: 'small' } })
    expect(changed.json()).toMatchObject({
      settings: expect.arrayContaining([expect.objectContaining({ key: 'ai_model', value: 'small' })]),
    })
    expect((await at.ask('GET', '/api/settings')).json()).toEqual(changed.json())
  })

  it.each(['marvin_cmd', 'ai_key', 'no_such_setting', '__proto__'])('never sets %s, whichever way it is sent', async (key) => {
    const sent = await at.api('/api/settings', `{"values":{"ai_model":"small","${key}":"rm -rf /"}}`)
    expect(sent.status).toBe(400)
    expect(sent.json()).toMatchObject({ error: { code: 'invalid_setting', key } })
    expect(await at.form('/settings', { ai_model: 'small', [key]: 'rm -rf /' })).toMatchObject({ status: 400 })
    expect(at.app.changes).toEqual([])
  })

  it('takes texts only', async () => {
    for (const value of [1, null, ['x'], { a: 1 }]) {
      expect(await at.api('/api/settings', { values: { ai_model: value } })).toMatchObject({ status: 400 })
    }
    expect(await at.api('/api/settings', { values: ['ai_model'] })).toMatchObject({ status: 400 })
    expect(at.app.changes).toEqual([])
  })

  it('shows a rejected change with what was typed and what is wrong with it', async () => {
    const page = await at.form('/settings', { ai_backend: 'wrong', ai_model: 'typed by me' })
    expect(page.status).toBe(400)
    expect(page.body).toContain('cannot be &quot;wrong&quot;.')
    expect(page.body).toContain('typed by me')
    const sent = await at.api('/api/settings', { values: { ai_backend: 'wrong' } })
    expect(sent.json()).toMatchObject({ error: { code: 'invalid_backend', key: 'ai_backend' } })
  })
})

describe('state and history', () => {
  it('answers 304 until something changes', async () => {
    const first = await at.ask('GET', '/api/state')
    const etag = first.headers.etag!
    expect(await at.ask('GET', '/api/state', { headers: { 'if-none-match': etag } })).toMatchObject({ status: 304, body: '' })
    at.app.become(proposed('p1'))
    const next = await at.ask('GET', '/api/state', { headers: { 'if-none-match': etag } })
    expect(next.status).toBe(200)
    expect(next.json()).toMatchObject({ version: 1, offscreen: { proposal: { id: 'p1' } } })
  })

  it('tells a state from one of the same version before a restart', async () => {
    const other = await testServer()
    try {
      expect((await other.ask('GET', '/api/state')).headers.etag).not.toBe((await at.ask('GET', '/api/state')).headers.etag)
    } finally {
      await other.end()
    }
  })

  it('asks for the days that are wanted, four weeks by default, and refuses what is no such number', async () => {
    await at.ask('GET', '/api/history')
    await at.ask('GET', '/api/history?days=7')
    expect(at.app.historyAsked.map(({ days }) => days)).toEqual([28, 7])
    for (const days of ['0', '93', '1.5', 'x', ''])
      expect(await at.ask('GET', `/api/history?days=${days}`), days).toMatchObject({ status: 400 })
  })

  it('lets go of the history when whoever asked for it is gone', async () => {
    at.app.hangs = true
    const socket = await at.socket()
    socket.write('GET /api/history HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await expect.poll(() => at.app.historyAsked.length).toBe(1)
    socket.destroy()
    await expect.poll(() => at.app.historyAsked[0]!.signal.aborted).toBe(true)
    expect(at.logged).toEqual([])
  })

  it('shows a page for a history that cannot be read', async () => {
    at.app.next = new MemuError('aw_failed', 'ActivityWatch answered 500.')
    const page = await at.ask('GET', '/history')
    expect(page.status).toBe(502)
    expect(page.body).toContain('ActivityWatch answered 500.')
  })
})

describe('a daemon that is still starting', () => {
  it('answers /healthz and the page’s files at once, and everything else as soon as it can', async () => {
    let ready: (app: TestServer['app']) => void = () => {}
    const starting = await testServer({ app: new Promise((resolve) => (ready = resolve)) })
    try {
      expect((await starting.ask('GET', '/healthz')).json()).toEqual({ name: 'keeld', version: '1.2.3' })
      expect(await starting.ask('GET', '/assets/keel.js')).toMatchObject({ status: 404 })
      const state = starting.ask('GET', '/api/state')
      ready(starting.app)
      expect(await state).toMatchObject({ status: 200 })
    } finally {
      await starting.end()
    }
  })
})

describe('with a token', () => {
  it('asks for it on everything but its signature and the page’s files, and takes it as a bearer or once on a page', async () => {
    const guarded = await testServer({ token: 'a long enough token' })
    try {
      expect(await guarded.ask('GET', '/healthz')).toMatchObject({ status: 200 })
      for (const path of ['/', '/history', '/settings', '/brief', '/api/state', '/api/stream', '/api/history', '/api/settings']) {
        expect(await guarded.ask('GET', path), path).toMatchObject({ status: 401, headers: { 'www-authenticate': 'Bearer' } })
      }
      expect(await guarded.api('/api/command', { name: 'start' })).toMatchObject({ status: 401 })
      expect(guarded.app.commands).toEqual([])
      expect((await guarded.ask('GET', '/')).body).toContain('type="password"')

      expect(await guarded.ask('GET', '/api/state', { headers: { authorization: 'Bearer wrong' } })).toMatchObject({ status: 401 })
      const wrong = await guarded.form('/token', { token: 'wrong' })
      expect(wrong).toMatchObject({ status: 401 })
      expect(wrong.headers['set-cookie']).toBeUndefined()

      const entered = await guarded.form('/token', { token: ' a long enough token ' })
      expect(entered).toMatchObject({ status: 303, headers: { location: '/' } })
      const cookie = entered.headers['set-cookie']![0]!
      expect(cookie).toMatch(/; HttpOnly; SameSite=Strict$/)
      expect(cookie).not.toContain('long')
      expect(await guarded.ask('GET', '/', { headers: { cookie: `other=1; ${cookie.split(';')[0]}` } })).toMatchObject({ status: 200 })
      expect(await guarded.ask('GET', '/', { headers: { cookie: 'keel_session=x' } })).toMatchObject({ status: 401 })
    } finally {
      await guarded.end()
    }
  })

  it('leads to the page that was asked for, and to no other server', async () => {
    const guarded = await testServer({ token: 'abc-def' })
    const enter = async (next: string) => (await guarded.form('/token', { token: 'abc-def', next })).headers.location
    try {
      expect((await guarded.ask('GET', '/history?days=7')).body).toContain('name="next" value="/history?days=7"')
      expect((await guarded.form('/token', { token: 'wrong', next: '/brief' })).body).toContain('name="next" value="/brief"')
      expect(await enter('/history?days=7')).toBe('/history?days=7')
      for (const next of [
        '//example.org/',
        '/\\example.org',
        'http://example.org/',
        'javascript:alert(1)',
        '/.//example.org',
        '///',
        'http://',
        '\r\n//x',
      ])
        expect(await enter(next), next).toBe('/')
    } finally {
      await guarded.end()
    }
  })

  it('takes a bearer token that a script sends', async () => {
    const guarded = await testServer({ token: 'abc-def' })
    try {
      expect(await guarded.ask('GET', '/api/state', { headers: { authorization: 'bearer abc-def' } })).toMatchObject({ status: 200 })
    } finally {
      await guarded.end()
    }
  })
})
