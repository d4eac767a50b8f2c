/** Reading a session out of an agent's database. */
import type { Decompress } from 'fzstd'
import { type EntryState, type EntryTree, entryRecords, isNoise } from '../entry-tree/dialect.ts'
import { sessionFacts } from '../fields.ts'
import { openSqliteLog, type RowDialect, type RowsRead, readRows } from '../sqlite-log.ts'
import type { ReadResult } from '../transcript-source.ts'
import { coldEvents } from './cold.ts'
import { eventHead, eventJson, eventTable, type StoredEvent } from './events.ts'
import { watermarkTable } from './windows.ts'

/** Errors: `session_unreadable`; the signal's reason when aborted. */
export async function readEvents(database: string, session: string, tree: EntryTree, read: RowsRead): Promise<ReadResult> {
  const { Decompress: decompressor } = await import('fzstd')
  const log = openSqliteLog(database)
  try {
    const cold = coldEvents(log, session, decompressor)
    const store = cold ?? eventTable(log, session, decompressor)
    const marks = watermarkTable(log)
    const dialect: RowDialect<EntryState, StoredEvent> = {
      restore: (stored) => ({ ...stored }),
      *rows(_, after) {
        for (const event of store.after(typeof after === 'number' ? after : -1)) yield { place: event.seq, row: event }
      },
      mark: (_, place) => (typeof place === 'number' ? store.mark(place) : undefined),
      // Rewriting numbers the events anew; versions that count no rewrites are told by number and content of the last one.
      generation: () => (marks && log.first(`select generation from "${marks}" where session_id = ?`, session)?.generation) ?? null,
      classify: (event, state) => recordsOf(event, state, tree, decompressor),
      facts: sessionFacts,
    }
    try {
      return await readRows(log, dialect, read)
    } finally {
      cold?.close()
    }
  } finally {
    log.close()
  }
}

function recordsOf(
  event: StoredEvent,
  state: EntryState,
  tree: EntryTree,
  decompressor: typeof Decompress,
): ReturnType<typeof entryRecords> {
  return isNoise(eventHead(event)) ? [] : entryRecords(eventJson(event, decompressor), state, tree)
}
