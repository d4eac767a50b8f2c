/**
 * What memU knows of the user, for a brief: the one place where Keel meets memU. It only reads, makes no store where there is none, and
 * nothing of memU but its configuration is loaded before a store is configured and asked.
 */

import { loadSettings } from '../../config/load.ts'
import type { MemoryBackend, RetrievedSegment } from '../../memory/backend.ts'
import { reason } from '../../util/errors.ts'
import { printable, visibleLine } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import type { KnowledgeSource } from './source.ts'

/** Milliseconds for all of it. A brief is worth less than the wait beyond that. */
export const MEMU_LIMIT_MS = 300

/** What helps to choose. Each finds its own best lines. */
const QUERIES = [
  'goals, plans and wishes of the user',
  'what the user likes and dislikes, habits, health, family',
  'what the user works on at the moment, current projects',
]
const LINES_A_QUERY = 3
/** Characters of one line, and lines in all: a few hundred tokens. */
const LINE_LIMIT = 240
const MOST_LINES = 7

export interface MemuSourceOptions {
  readonly system: System
  readonly log?: (line: string) => void
  /** Opens the store that is configured, for reading; undefined where none is. Default: the local engine. */
  readonly open?: () => Promise<MemoryBackend | undefined>
  readonly limitMs?: number
}

/** Lines of a list, or nothing; a failure is logged once, until it works again. */
export function newMemuSource({ system, log = () => {}, open, limitMs = MEMU_LIMIT_MS }: MemuSourceOptions): KnowledgeSource {
  let complaint: string | undefined
  const complain = (why: string): string => {
    // What follows is a brief without these lines.
    if (why !== complaint) log(printable(`knowledge: memU is not asked (${why})`))
    complaint = why
    return ''
  }
  const lines = async (signal: AbortSignal): Promise<string> => {
    try {
      const text = await ask(open ?? (() => openConfigured(system)), signal)
      complaint = undefined
      return text
    } catch (error) {
      return signal.aborted ? '' : complain(reason(error))
    }
  }
  return {
    async text(signal) {
      const text = await withinTime(limitMs, signal, (limit) => untilAborted(lines(limit), limit, undefined))
      if (text !== undefined || signal.aborted) return text ?? ''
      return complain(`no answer within ${limitMs} ms`)
    },
  }
}

async function ask(open: () => Promise<MemoryBackend | undefined>, signal: AbortSignal): Promise<string> {
  const memory = await open()
  if (memory === undefined) return ''
  try {
    const found: RetrievedSegment[] = []
    for (const query of QUERIES) {
      signal.throwIfAborted()
      const { segments } = await memory.progressiveRetrieve(query, { limit: LINES_A_QUERY, track: 'memory' })
      found.push(...segments)
    }
    return await listed(found)
  } finally {
    await memory.close()
  }
}

/** One line each, every segment once. What is remembered from before secrets were taken out is given to no model with them. */
async function listed(segments: readonly RetrievedSegment[]): Promise<string> {
  const { createRedactor } = await import('../../redaction/redact.ts')
  const redact = createRedactor()
  const lines = segments.map(({ text }) => {
    const line = visibleLine(redact(text).text).replace(/^(?:[-*+#>]+\s+)+/, '')
    return line.length > LINE_LIMIT ? `${[...line].slice(0, LINE_LIMIT - 1).join('')}…` : line
  })
  return [...new Set(lines.filter((line) => line !== ''))]
    .slice(0, MOST_LINES)
    .map((line) => `- ${line}`)
    .join('\n')
}

/** The local engine over the configured store, with the embedded model: no server and no key takes part in a brief. */
async function openConfigured(system: System): Promise<MemoryBackend | undefined> {
  const settings = loadSettings(system)
  if (settings.mode !== 'local' || settings.db === undefined) return undefined
  const { openLocal } = await import('../../memory/open.ts')
  return openLocal({ db: settings.db, system, readOnly: true })
}
