/** A server over a fake daemon on a free port, and how tests speak to it. */
import { once } from 'node:events'
import { type IncomingHttpHeaders, request } from 'node:http'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { type KeelServer, newKeelServer, type ServerOptions } from '../../../src/keel/server/http.ts'
import { type FakeApp, fakeApp } from './fake-app.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
  json<Value = Record<string, unknown>>(): Value
}

export interface TestServer {
  readonly app: FakeApp
  readonly server: KeelServer
  readonly port: number
  readonly logged: string[]
  /** Host is the server's own unless `headers` say otherwise. */
  ask(method: string, path: string, options?: { readonly headers?: Record<string, string>; readonly body?: string }): Promise<Answer>
  /** As a script would. */
  api(path: string, body: unknown, headers?: Record<string, string>): Promise<Answer>
  /** As a browser sends a form of the page. */
  form(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Answer>
  socket(): Promise<Socket>
  /** Sends bytes as they are, and returns all that comes until the server ends the connection. */
  raw(bytes: string): Promise<string>
  end(): Promise<void>
}

export async function testServer(options: Partial<ServerOptions> = {}): Promise<TestServer> {
  const app = fakeApp()
  const logged: string[] = []
  const server = newKeelServer({
    app: Promise.resolve(app),
    assets: new Map(),
    version: '1.2.3',
    log: (line) => logged.push(line),
    ...options,
  })
  const port = await server.listen('127.0.0.1', 0)

  async function ask(
    method: string,
    path: string,
    { headers = {}, body }: { readonly headers?: Record<string, string>; readonly body?: string } = {},
  ): Promise<Answer> {
    const asking = request({ host: '127.0.0.1', port, method, path, headers: { host: `localhost:${port}`, ...headers }, agent: false })
    asking.end(body)
    const [response] = (await once(asking, 'response')) as [import('node:http').IncomingMessage]
    const answer = await text(response)
    return { status: response.statusCode ?? 0, headers: response.headers, body: answer, json: () => JSON.parse(answer) }
  }

  async function socket(): Promise<Socket> {
    const opened = connect(port, '127.0.0.1')
    opened.on('error', () => {}) // Cut by the server: tests look at what came before.
    await once(opened, 'connect')
    return opened
  }

  return {
    app,
    server,
    port,
    logged,
    ask,
    api: (path, body, headers = {}) =>
      ask('POST', path, {
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    form: (path, fields, headers = {}) =>
      ask('POST', path, {
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          origin: `http://localhost:${port}`,
          'sec-fetch-site': 'same-origin',
          ...headers,
        },
        body: new URLSearchParams(fields).toString(),
      }),
    socket,
    async raw(bytes) {
      const opened = await socket()
      opened.write(bytes)
      return text(opened)
    },
    end: () => server.close(AbortSignal.timeout(1_000)),
  }
}

/** However it ends: `once` would take a reset for a failure. */
export function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => void socket.once('close', () => resolve()))
}
