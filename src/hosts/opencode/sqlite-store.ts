/** One session of opencode's database. */
import { asText } from '../fields.ts'
import { jsonOf, largeValue, type Row, rowsByKey, type SqliteLog } from '../sqlite-log.ts'
import type { Message, MessageStore } from './conversation.ts'
import { sessionFacts } from './facts.ts'

/** A message with a time that is none has no place in the order, one whose id is no text cannot be asked for: they are passed over. */
const PLACED = "time_created between 0 and 9e15 and typeof(id) = 'text'"
/** Not loaded whole: it may hold all that was changed in files. A damaged one hides nothing. */
const TAKEN_BACK = "case when json_valid(revert) then json_extract(revert, '$.messageID') end"
/** So many messages are looked up together. */
const AT_ONCE = 100

interface Batch {
  /** Where each message stands in it. */
  readonly places: ReadonlyMap<string, number>
  readonly parts: Iterator<Row>
  next?: Row | undefined
}

export function sqliteStore(log: SqliteLog, session: string): MessageStore {
  const columns = log.columns('session')
  /** Of the session's own row, where the schema has such a column. */
  const value = (sql: string, column = sql): unknown =>
    columns.has(column) ? log.first(`select ${sql} as value from session where id = ?`, session)?.value : undefined
  const started = value('cast(time_created as real)', 'time_created')
  let origins: readonly Origin[] | undefined
  let batch: Batch | undefined

  /** The parts of many messages are read with one query, in step with the messages. */
  function* batchOf(heads: readonly Row[], isEnd: boolean): Iterable<Message> {
    const ids = JSON.stringify(heads.map(({ id }) => id))
    const keys = log.all(`${rowsByKey('id', 'part', 'message_id')} where typeof(id) = 'text' order by wanted_at, id`, ids)
    const parts = log.each(rowsByKey(`id, message_id, ${largeValue('data')}`, 'part', 'id'), JSON.stringify(keys.map(({ id }) => id)))
    const reading = parts[Symbol.iterator]()
    batch = { places: new Map(heads.map(({ id }, place) => [String(id), place])), parts: reading, next: reading.next().value as Row }
    try {
      let at = 0
      for (const row of log.each(rowsByKey(`id, ${largeValue('data')}`, 'message', 'id'), ids)) {
        const created = Number(heads[at++]?.created)
        yield { id: String(row.id), created, isLast: isEnd && at === heads.length, data: () => jsonOf(row.data) }
      }
    } finally {
      reading.return?.()
    }
  }

  return {
    snapshot: log.snapshot,

    *messages([created, id]) {
      const select = `
        select id, cast(time_created as real) as created from message
        where session_id = ? and (time_created, id) >= (?, ?) and ${PLACED} order by time_created, id limit ${AT_ONCE + 1}`
      for (let from: Row | undefined = { created, id }; from !== undefined; ) {
        const heads: Row[] = log.all(select, session, from.created ?? null, from.id ?? null)
        from = heads[AT_ONCE]
        yield* batchOf(heads.slice(0, AT_ONCE), from === undefined)
      }
    },

    *parts(message, after) {
      const place = batch?.places.get(message)
      if (batch === undefined || place === undefined) return
      for (; batch.next !== undefined; batch.next = batch.parts.next().value as Row | undefined) {
        const { id, message_id: of, data } = batch.next
        const at = batch.places.get(String(of)) ?? -1
        if (at > place) return
        if (at === place && String(id) > after) yield { id: String(id), data: () => jsonOf(data) }
      }
    },

    count([created, id]) {
      const there = log.first('select 1 from message where session_id = ? and id = ?', session, id)
      const sql = 'select count(*) as n from message where session_id = ? and (time_created, id) <= (?, ?)'
      return there && Number(log.first(sql, session, created, id)?.n)
    },

    takenBack() {
      return asText(value(TAKEN_BACK, 'revert'))
    },

    isCopy(message) {
      if (typeof started !== 'number' || message.created >= started) return false
      origins ??= originsOf(log, { session, started }, message)
      return origins.some((origin) => handsOut(log, origin, message))
    },

    facts: () => sessionFacts({ title: value('title'), directory: value('directory') }),
  }
}

/** An older session that holds what a fork copied, and the first message that the user took back there. */
interface Origin {
  readonly id: string
  readonly takenBack: string | undefined
}

/**
 * A fork copies messages with their times, under ids of its own, from the first one on: who has that one is the origin, or a fork of the
 * same. Of forks alone the oldest hands out what they share.
 */
function originsOf(log: SqliteLog, of: { readonly session: string; readonly started: number }, { created }: Message): Origin[] {
  const rows = log.all(
    `select s.id, ${log.columns('session').has('revert') ? TAKEN_BACK : 'null'} as taken_back from session s
    where (cast(s.time_created as real), s.id) < (?, ?)
      and exists (select 1 from message where session_id = s.id and time_created = ?)`,
    of.started,
    of.session,
    created,
  )
  return rows.map(({ id, taken_back }) => ({ id: String(id), takenBack: asText(taken_back) }))
}

function handsOut(log: SqliteLog, { id, takenBack }: Origin, { created }: Message): boolean {
  const there = 'select 1 from message where session_id = ? and time_created = ?'
  if (takenBack === undefined) return log.first(`${there} limit 1`, id, created) !== undefined
  return log.first(`${there} and id < ? limit 1`, id, created, takenBack) !== undefined
}
