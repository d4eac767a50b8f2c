/**
 * Older versions kept a session as one JSON document, `{ sessionId, …, messages: […] }`, written anew after every message. Read here
 * as if it were the lines that newer versions write, one a message, so that a document that only grew is read on from its cursor.
 */
import { MemuError, reason } from '../../util/errors.ts'
import { type ByteSource, type JsonObject, openFile } from '../../util/jsonl.ts'
import { asObject } from '../fields.ts'

/** A document must be parsed whole; a session as large as this has long been one of lines. Bytes. */
const MOST_BYTES = 64 * 1024 * 1024

/** Errors: `session_unreadable` as `openFile`, and where the document is no JSON or too large. */
export function openDocument(path: string): ByteSource {
  const lines = Buffer.from(documentLines(parse(path)))
  return {
    readAt: (position, into) => (position < lines.length ? lines.copy(into, 0, position) : 0),
    close() {},
  }
}

/** The time of the last change is left out of the first line: it is another after every message. */
function documentLines({ messages, lastUpdated: _, ...session }: JsonObject): string {
  const lines = [session, ...(Array.isArray(messages) ? messages : [])]
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function parse(path: string): JsonObject {
  const bytes = readWhole(path)
  try {
    const document = asObject(JSON.parse(bytes.toString('utf8')))
    if (document === undefined) throw new Error('it is no object')
    return document
  } catch (error) {
    throw unreadable(path, reason(error), error)
  }
}

function readWhole(path: string): Buffer {
  const source = openFile(path)
  try {
    const chunks: Buffer[] = []
    for (let size = 0; ; ) {
      const chunk = Buffer.allocUnsafe(1024 * 1024)
      const count = source.readAt(size, chunk)
      if (count === 0) return Buffer.concat(chunks)
      size += count
      if (size > MOST_BYTES) throw unreadable(path, `it is larger than ${MOST_BYTES} bytes`)
      chunks.push(chunk.subarray(0, count))
    }
  } finally {
    source.close()
  }
}

function unreadable(path: string, why: string, cause?: unknown): MemuError {
  return new MemuError('session_unreadable', `Cannot read the session log ${path}: ${why}.`, {
    hint: 'Open the session in Gemini CLI, which then goes on in the newer format.',
    cause,
  })
}
