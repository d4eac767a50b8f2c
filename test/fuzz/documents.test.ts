import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'vitest'
import type { HostLog, HostLogFixture } from '../contract/host-log.ts'
import { agentLog } from '../hosts-unit/agent-log.ts'
import { damagedRecords, fuzz, TIMEOUT } from './fuzz.ts'
import { mutateLine } from './mutate.ts'

const { line } = agentLog
const documents: HostLogFixture = { ...agentLog, id: (number) => `session-${number}`, open: openDocuments, sharesParser: true }

describe('fuzzing sessions that are one JSON document each', () => {
  it(`an agent's documents: ${damagedRecords(documents)} damaged records in them cost themselves alone`, { timeout: TIMEOUT }, async () => {
    await fuzz(documents, ({ appendRaw }) => ({
      add(session, events, chance) {
        const whole = events.map((event) => line?.(session, event) ?? '')
        const damaged = whole.map((text) => asElement(mutateLine(text, whole, chance)))
        appendRaw?.(session, damaged)
      },
      close() {},
    }))
  })
})

/** Written anew with every append, as these programs do. */
function openDocuments(sessionDir: string): HostLog {
  const sessions = new Map<string, string[]>()
  const appendRaw = (session: string, added: readonly (string | Uint8Array)[]): void => {
    const records = sessions.get(session) ?? []
    sessions.set(session, records)
    for (const record of added) records.push(String(record))
    writeFileSync(join(sessionDir, `${session}.json`), `{"id":"${session}","messages":[${records.join(',')}]}`)
  }
  return {
    sessionDir,
    appendRaw,
    append: (session, events) =>
      appendRaw(
        session,
        events.map((event) => line?.(session, event) ?? ''),
      ),
    rewrite() {},
    appendBroken() {},
    close() {},
  }
}

/** What is no JSON any more stands in the document as a string: a damaged document as a whole is another matter. */
function asElement(damaged: string | Uint8Array): string {
  const text = Buffer.from(damaged).toString('utf8')
  try {
    JSON.parse(text)
    return text
  } catch {
    return JSON.stringify(text)
  }
}
