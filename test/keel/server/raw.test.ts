import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closed, type TestServer, testServer } from './server.ts'

let at: TestServer
beforeEach(async () => {
  at = await testServer({ limits: { headersMs: 100, requestMs: 150, checkMs: 20 } })
})
afterEach(() => at.end())

const HARDENED = /^content-security-policy: .*\r$/im

describe('what comes over the wire', () => {
  it('refuses a request without a Host, with two, and with an empty one', async () => {
    for (const host of ['', 'Host: localhost\r\nHost: localhost\r\n', 'Host:\r\n']) {
      const answer = await at.raw(`GET /api/state HTTP/1.1\r\n${host}Connection: close\r\n\r\n`)
      expect(answer, host).toMatch(/^HTTP\/1\.1 403 /)
      expect(answer).toMatch(HARDENED)
    }
    expect(await at.raw('GET / HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 403 /)
  })

  it('takes no target that names another server, and none that is no path', async () => {
    for (const target of ['http://evil.example/', '//evil.example/', '*', '/%zz%']) {
      const answer = await at.raw(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
      expect(answer, target).toMatch(/^HTTP\/1\.1 40[04] /)
    }
  })

  it('answers what is no request with 400 and the same headers', async () => {
    const answer = await at.raw('nonsense\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toMatch(HARDENED)
  })

  it('answers headers that are too long with 431', async () => {
    const answer = await at.raw(`GET / HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 431 /)
    expect(answer).toMatch(HARDENED)
  })

  it('sees every header, however many there are before it', async () => {
    const many = (count: number): string => 'X1: a\r\n'.repeat(count)
    const foreign = `GET /api/state HTTP/1.1\r\nHost: localhost\r\n${many(1_500)}Sec-Fetch-Site: cross-site\r\nConnection: close\r\n\r\n`
    expect(await at.raw(foreign)).toMatch(/^HTTP\/1\.1 403 /)
    const own = `GET /api/state HTTP/1.1\r\n${many(1_500)}Host: localhost\r\nConnection: close\r\n\r\n`
    expect(await at.raw(own)).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('gives up on headers and on bodies that come too slowly', async () => {
    expect(await at.raw('GET / HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408 /)
    const slow = 'POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"name"'
    expect(await at.raw(slow)).toMatch(/^HTTP\/1\.1 408 |^$/)
    expect(at.app.commands).toEqual([])
  })

  it('answers requests that come all at once one after another', async () => {
    const one = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'
    const last = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'
    const answer = await at.raw(`${one.repeat(49)}${last}`)
    expect(answer.match(/HTTP\/1\.1 200 /g)).toHaveLength(50)
  })

  it('takes what follows a refused body for the next request only after the body', async () => {
    const inside = 'POST /api/command HTTP/1.1'
    const refused = `POST /api/command HTTP/1.1\r\nHost: evil.example\r\nContent-Type: application/json\r\nContent-Length: ${inside.length}\r\n\r\n${inside}`
    const answer = await at.raw(`${refused}GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`)
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 403', 'HTTP/1.1 200'])
  })

  it('refuses a body that is not UTF-8, and one that is compressed', async () => {
    const head = 'POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\n'
    const socket = await at.socket()
    socket.write(Buffer.from(`${head}Content-Length: 2\r\n\r\n\u00c3(`, 'latin1'))
    const answer = await text(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('"code":"not_text"')
    expect(await at.raw(`${head}Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}`)).toMatch(/^HTTP\/1\.1 415 /)
  })

  it('cuts a body without end, and one that says how large it is', async () => {
    const head = 'POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n'
    expect(await at.raw(`${head}Content-Length: 9999999\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /)
    const socket = await at.socket()
    const cut = closed(socket)
    socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`
    const pour = (): void => {
      while (!socket.destroyed && socket.write(chunk));
    }
    socket.on('drain', pour)
    pour()
    await cut
    expect(at.app.commands).toEqual([])
  })

  it('expects nothing', async () => {
    expect(await at.raw('GET / HTTP/1.1\r\nHost: localhost\r\nExpect: wonders\r\nConnection: close\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 /)
  })

  it('goes on after clients that went away in the middle', async () => {
    for (const bytes of [
      'GET',
      'POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ]) {
      const socket = await at.socket()
      socket.write(bytes)
      socket.destroy()
    }
    expect(await at.ask('GET', '/healthz')).toMatchObject({ status: 200 })
    expect(at.logged).toEqual([])
  })
})

describe('too many connections', () => {
  const LIMIT = 4
  let few: TestServer
  beforeEach(async () => {
    few = await testServer({ limits: { connections: LIMIT, headersMs: 60_000, requestMs: 60_000, idleMs: 60_000 } })
  })
  afterEach(() => few.end())

  it.each([
    ['that say nothing', ''],
    ['with half a request', 'GET / HTTP/1.1\r\nHost: local'],
    ['with half a body', 'POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'],
    ['that nobody uses any more', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'],
  ])('%s shut nobody out: the oldest ends for the newest, and the log says it once', async (_, bytes) => {
    const sockets = []
    for (let socket = 0; socket < LIMIT; socket++) {
      const opened = await few.socket()
      opened.on('data', () => {})
      opened.write(bytes)
      sockets.push(opened)
    }
    const first = closed(sockets[0]!)
    for (let request = 0; request < 3; request++) expect(await few.ask('GET', '/api/state')).toMatchObject({ status: 200 })
    await first
    expect(sockets.at(-1)!.destroyed).toBe(false)
    expect(few.logged).toEqual(['server: too many connections; those that ask for nothing are ended'])
    for (const socket of sockets) socket.destroy()
  })

  it('leave those alone that wait for an answer, and streams', async () => {
    few.app.hangs = true
    const busy = []
    for (let socket = 0; socket < LIMIT; socket++) {
      const opened = await few.socket()
      opened.on('data', () => {})
      opened.write(`GET ${socket === 0 ? '/api/stream' : '/api/history'} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
      busy.push(opened)
    }
    await expect.poll(() => [few.app.listeners, few.app.historyAsked.length]).toEqual([1, LIMIT - 1])
    const late = await few.socket()
    await closed(late.resume())
    expect(busy.map(({ destroyed }) => destroyed)).toEqual([false, false, false, false])
    for (const socket of busy) socket.destroy()
  })
})

describe('close', () => {
  it('does not wait for the next request on a connection whose answer ends after it', async () => {
    const patient = await testServer({ limits: { idleMs: 60_000 } })
    const busy = await patient.socket()
    const gone = closed(busy.resume())
    busy.write('POST /api/command HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 16\r\n\r\n')
    // The answer to it begins once its body is there.
    const other = await patient.ask('GET', '/healthz')
    expect(other.status).toBe(200)
    const ended = patient.server.close(new AbortController().signal)
    busy.write('{"name":"start"}')
    await ended
    await gone
    expect(patient.app.commands).toEqual([{ name: 'start' }])
  })

  it('ends connections that nobody uses and streams, and lets an answer that is under way be finished', async () => {
    at.app.hangs = true
    const idle = await at.socket()
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(idle, 'data')
    const stream = await at.socket()
    stream.write('GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await once(stream, 'data')
    const history = at.ask('GET', '/api/history')
    await expect.poll(() => at.app.historyAsked.length).toBe(1)

    const cut = new AbortController()
    const gone = Promise.all([closed(idle.resume()), closed(stream.resume())])
    const ended = at.server.close(cut.signal)
    await gone
    await expect(at.ask('GET', '/healthz')).rejects.toThrow()
    history.catch(() => {})
    cut.abort()
    await expect(history).rejects.toThrow()
    await ended
  })
})
