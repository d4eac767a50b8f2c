/** Answers, each in one piece with its length. */
import type { ServerResponse } from 'node:http'
import { SECURITY_HEADERS } from './headers.ts'

type Headers = Readonly<Record<string, string>>

/** Does nothing where there is an answer already, or nobody to get one. */
export function respond(response: ServerResponse, status: number, type: string, body: string | Buffer, headers: Headers = {}): void {
  // Whoever asked is gone, or has its answer.
  if (response.headersSent || response.destroyed) return
  const content = typeof body === 'string' ? Buffer.from(body) : body
  response
    .writeHead(status, { ...SECURITY_HEADERS, 'content-type': type, 'content-length': String(content.length), ...headers })
    .end(content)
}

/** As `respond`. */
export function respondHtml(response: ServerResponse, page: string, status = 200, headers?: Headers): void {
  respond(response, status, 'text/html; charset=utf-8', page, headers)
}

/** As `respond`. */
export function respondJson(response: ServerResponse, value: unknown, status = 200, headers?: Headers): void {
  respond(response, status, 'application/json', `${JSON.stringify(value)}\n`, headers)
}

/** Without a body: 204, 303, 304. */
export function respondEmpty(response: ServerResponse, status: number, headers: Headers = {}): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, { ...SECURITY_HEADERS, ...(status === 303 ? { 'content-length': '0' } : {}), ...headers }).end()
}

/** After a form: the browser asks for the page anew, so that loading it again sends nothing twice. */
export function redirect(response: ServerResponse, path: string, headers: Headers = {}): void {
  respondEmpty(response, 303, { location: path, ...headers })
}
