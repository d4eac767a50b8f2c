/**
 * What a fork or a rewind took over is mined where it was said, as long as it stands there: a transcript may be rewritten, and lose what
 * a fork of it still has. Entries are told by their times, which copies keep; ids are given anew where an old format is brought up to date.
 */
import { extname } from 'node:path'
import type { Decompress } from 'fzstd'
import { entries, entryTime, isNoise } from '../entry-tree/dialect.ts'
import { handedOut } from '../forks.ts'
import { withSqliteLog } from '../sqlite-log.ts'
import type { AgentSession } from './agents.ts'
import { coldEvents } from './cold.ts'
import { eventHead, eventJson, eventTable, type StoredEvent } from './events.ts'

/** So many events are read in one transaction. */
const AT_ONCE = 1_000

/** ISO times of a session's entries. None where it cannot be read: that is said where it is read itself. */
export function entryTimes({ path, session }: AgentSession, now: number, decompressor: typeof Decompress): ReadonlySet<string> {
  if (extname(path) === '.jsonl') return handedOut({ ...entries, id: (entry) => entryTime(entry, now) })(path)
  const times = new Set<string>()
  /** The number of the last event, where more may follow. */
  function notePage(events: Iterable<StoredEvent>): number | undefined {
    let left = AT_ONCE
    for (const event of events) {
      const time = isNoise(eventHead(event)) ? undefined : timeOf(() => eventJson(event, decompressor), now)
      if (time !== undefined) times.add(time)
      if (--left === 0) return event.seq
    }
    return undefined
  }
  try {
    withSqliteLog(path, (log) => {
      const cold = coldEvents(log, session, decompressor)
      const store = cold ?? eventTable(log, session, decompressor)
      try {
        let seq: number | undefined = -1
        while (seq !== undefined) {
          const from: number = seq
          seq = log.snapshot(() => notePage(store.after(from)))
        }
      } finally {
        cold?.close()
      }
    })
  } catch {
    return new Set()
  }
  return times
}

function timeOf(entry: () => ReturnType<typeof eventJson>, now: number): string | undefined {
  try {
    return entryTime(entry(), now)
  } catch {
    return undefined // A damaged event is not handed out there either.
  }
}
