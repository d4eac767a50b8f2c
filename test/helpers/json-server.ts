/** A loopback HTTP server that answers from a list and keeps what it was asked. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Record<string, unknown>
}

export interface Reply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** An object is sent as JSON. `hang` sends nothing, `drop` closes the connection. */
  readonly body?: unknown
  readonly trouble?: 'hang' | 'drop' | 'half'
}

export interface JsonServer {
  readonly url: string
  readonly asked: readonly Asked[]
  close(): Promise<void>
}

/** `reply` gets the request and its number, counted from 1. */
export async function jsonServer(reply: (asked: Asked, count: number) => Reply): Promise<JsonServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const record = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: text === '' ? {} : (JSON.parse(text) as Asked['body']),
      }
      asked.push(record)
      const { status = 200, headers = {}, body = '', trouble } = reply(record, asked.length)
      if (trouble === 'hang') return
      if (trouble === 'drop') return void request.socket.destroy()
      const content = typeof body === 'string' ? body : JSON.stringify(body)
      if (trouble === 'half') {
        response.writeHead(status, { 'content-length': Buffer.byteLength(content), ...headers })
        response.write(content.slice(0, content.length / 2), () => request.socket.destroy())
        return
      }
      response.writeHead(status, { 'content-type': 'application/json', ...headers })
      response.end(content)
    })
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    close: () =>
      new Promise((closed) => {
        server.close(() => closed())
        server.closeAllConnections()
      }),
  }
}
