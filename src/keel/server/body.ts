/** The body of a request: bounded, and text. */
import type { IncomingMessage } from 'node:http'
import { isObject } from '../../util/is-object.ts'
import { RequestError } from './failure.ts'

const BODY_LIMIT = 64 * 1024
/** Up to here what is too much is read and dropped, so that the answer arrives; beyond it the connection is cut. */
const DRAIN_LIMIT = 1024 * 1024

/** Errors: `too_large` (413), `wrong_encoding` (415), `not_text` (400), and that of a client which went away. */
async function readBody(request: IncomingMessage): Promise<string> {
  if ((request.headers['content-encoding'] ?? 'identity') !== 'identity') {
    throw new RequestError(415, 'wrong_encoding', 'A compressed body is not taken here.')
  }
  if (Number(request.headers['content-length'] ?? 0) > DRAIN_LIMIT) throw tooLarge()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > DRAIN_LIMIT) break
    if (length <= BODY_LIMIT) chunks.push(chunk)
  }
  if (length > BODY_LIMIT) throw tooLarge()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
  } catch (cause) {
    throw new RequestError(400, 'not_text', 'The body is not UTF-8.', { cause })
  }
}

/** Errors: those of `readBody`, and `not_json` (400) for what is no JSON object. */
export async function readJsonObject(request: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  const text = await readBody(request)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new RequestError(400, 'not_json', 'The body is not JSON.', { cause })
  }
  if (!isObject(value)) throw new RequestError(400, 'not_json', 'The body is not a JSON object.')
  return value
}

/** Errors: those of `readBody`. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  return new URLSearchParams(await readBody(request))
}

function tooLarge(): RequestError {
  return new RequestError(413, 'too_large', `The body has more than ${BODY_LIMIT / 1024} KiB.`)
}
