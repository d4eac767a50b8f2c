import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { proposed } from './fake-app.ts'
import { closed, type TestServer, testServer } from './server.ts'

let at: TestServer
beforeEach(async () => {
  at = await testServer({ stream: { keepAliveMs: 30, coalesceMs: 10, maxClients: 3 } })
})
afterEach(() => at.end())

interface Event {
  readonly id: string
  readonly state: { readonly version: number; readonly offscreen: { readonly proposal?: { readonly id: string } } }
}

interface Listener {
  readonly socket: Socket
  /** All that came. */
  received(): string
  events(): Event[]
}

async function listen(): Promise<Listener> {
  const socket = await at.socket()
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => {
    received += text
  })
  socket.write('GET /api/stream HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n\r\n')
  await expect.poll(() => received).toContain('\n\n')
  return {
    socket,
    received: () => received,
    events: () =>
      [...received.matchAll(/^id: (\d+)\nevent: state\ndata: (.*)\n\n/gm)].map(([, id, data]) => ({ id: id!, state: JSON.parse(data!) })),
  }
}

describe('stream', () => {
  it('begins with the whole state, and follows with the whole state after each change', async () => {
    const page = await listen()
    expect(page.received()).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*content-type: text\/event-stream/i)
    expect(page.received()).toContain('retry: 2000\n')
    expect(page.events()).toMatchObject([{ id: '0', state: { version: 0, offscreen: { status: 'pending' } } }])
    at.app.become(proposed('p1'))
    await expect.poll(page.events).toMatchObject([{ id: '0' }, { id: '1', state: { version: 1, offscreen: { proposal: { id: 'p1' } } } }])
  })

  it('tells of many changes at once in one event, the newest', async () => {
    const page = await listen()
    for (let count = 0; count < 100; count++) at.app.become(proposed(`p${count}`))
    await expect.poll(() => page.events().at(-1)?.state.version).toBe(100)
    expect(page.events()).toHaveLength(2)
  })

  it('keeps a text with line ends within one line of data', async () => {
    at.app.become(proposed('p1', 'one\ntwo\r\n\r\nid: 9'))
    const page = await listen()
    expect(page.events()).toMatchObject([{ id: '1', state: { offscreen: { proposal: { nextAction: 'one\ntwo\r\n\r\nid: 9' } } } }])
  })

  it('shows now and then that it is alive', async () => {
    const page = await listen()
    await expect.poll(page.received).toMatch(/\n:\n\n[\s\S]*\n:\n\n/)
  })

  it('has only so many pages at once: the oldest one ends for a further one, which somebody has just opened', async () => {
    const pages = [await listen(), await listen(), await listen()]
    const newest = await listen()
    await expect.poll(pages[0]!.received).toMatch(/0\r\n\r\n$/)
    at.app.become(proposed('p1'))
    for (const page of [pages[1]!, pages[2]!, newest]) await expect.poll(() => page.events().at(-1)?.state.version).toBe(1)
    expect(pages[0]!.events()).toHaveLength(1)
  })

  it('is one a connection, however often it is asked for there', async () => {
    const others = [await listen(), await listen()]
    const page = await listen()
    page.socket.write('GET /api/stream HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100))
    await at.ask('GET', '/api/state')
    at.app.become(proposed('p1'))
    for (const each of [...others, page]) await expect.poll(() => each.events().at(-1)?.state.version).toBe(1)
  })

  it('listens to the daemon only while a page listens to it', async () => {
    expect(at.app.listeners).toBe(0)
    const [one, two] = [await listen(), await listen()]
    expect(at.app.listeners).toBe(1)
    one.socket.destroy()
    two.socket.destroy()
    await expect.poll(() => at.app.listeners).toBe(0)
  })

  it('drops a page that takes nothing, without piling anything up, and serves the others', async () => {
    const slow = await listen()
    const quick = await listen()
    slow.socket.pause()
    const large = 'x'.repeat(2_000_000)
    const changing = setInterval(() => at.app.become(proposed(`p${at.app.state().version}`, large)), 15)
    try {
      await once(quick.socket, 'data')
      await expect.poll(() => at.app.state().version, { timeout: 20_000 }).toBeGreaterThan(20)
    } finally {
      clearInterval(changing)
    }
    // It was cut: what it reads ends, far below what was said meanwhile.
    const ended = closed(slow.socket)
    slow.socket.resume()
    await ended
    expect(slow.received().length).toBeLessThan(20_000_000)
    expect(quick.socket.destroyed).toBe(false)
  })

  it('ends with the server', async () => {
    const page = await listen()
    const ended = closed(page.socket)
    await at.end()
    await ended
    expect(page.received()).toMatch(/0\r\n\r\n$/)
  })
})
