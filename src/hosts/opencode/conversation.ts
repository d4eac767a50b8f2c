/** A session of opencode as messages and their parts, wherever they are kept, turned into rows that are read one by one. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asObject, asText } from '../fields.ts'
import type { Place, PlacedRow, RowDialect, RowStore } from '../sqlite-log.ts'
import type { SessionFacts } from '../transcript-source.ts'
import { type Conversation, classify } from './classify.ts'

/** A message, and what is read of it when it is asked for: it throws where that is damaged. */
export interface Message {
  readonly id: string
  /** Milliseconds since 1970; with the id it gives the order. */
  readonly created: number
  /** Whether none comes after it. */
  readonly isLast: boolean
  readonly data: () => JsonObject
}

export interface MessagePart {
  readonly id: string
  readonly data: () => JsonObject
}

/** Where messages are kept. */
export interface MessageStore extends RowStore {
  /** From the one at `(created, id)` on, which is among them, in order. */
  messages(from: readonly [created: number, id: string]): Iterable<Message>
  /** Of the message that came last, after the one of that id, in order. */
  parts(message: string, after: string): Iterable<MessagePart>
  /** How many messages there are up to and with that one; undefined where it is gone. */
  count(place: readonly [created: number, id: string]): number | undefined
  /** The first message that the user took back; it and all after it are hidden, until the user goes on and they are deleted. */
  takenBack(): string | undefined
  /** Whether the message is a copy of one in the session that this one was forked from. */
  isCopy(message: Message): boolean
  facts(): SessionFacts
}

interface Row {
  readonly message: () => JsonObject
  readonly part?: MessagePart
}

/** The session's rows are the parts; a message that cannot be read is one row itself. */
type MessagePlace = readonly [created: number, id: string, part: string]

export function conversationDialect(conversation: Conversation): RowDialect<Record<string, never>, Row, MessageStore> {
  return {
    restore: () => ({}),
    *rows(store, after): Iterable<PlacedRow<Row>> {
      const [created, id, part] = messagePlace(after)
      const takenBack = store.takenBack()
      for (const message of store.messages([created, id])) {
        if (takenBack !== undefined && message.id >= takenBack) return
        const data = readable(message)
        if (message.isLast && data !== undefined && isUnderWay(data)) return
        yield* rowsOf(store, message, data, message.id === id ? part : undefined)
      }
    },
    mark(store, place) {
      const [created, id] = messagePlace(place)
      const count = store.count([created, id])
      return count === undefined ? undefined : [count]
    },
    classify: ({ message, part }) => {
      const data = message()
      return part === undefined ? [] : classify({ id: part.id, message: data, data: part.data() }, conversation)
    },
    facts: (_, store) => store.facts(),
  }
}

/** `after` is the last part of it that was read, or nothing where none was. */
function* rowsOf(store: MessageStore, message: Message, data: JsonObject | undefined, after: string | undefined): Iterable<PlacedRow<Row>> {
  const placed = (row: Row): PlacedRow<Row> => ({ place: [message.created, message.id, row.part?.id ?? ''], row })
  if (data === undefined) {
    if (after === undefined) yield placed({ message: message.data })
  } else if (!store.isCopy(message)) {
    for (const part of store.parts(message.id, after ?? '')) yield placed({ message: () => data, part })
  }
}

/** An answer is rewritten while it comes in. One that was broken off is followed by another message, or stays unread until it is. */
function isUnderWay(data: JsonObject): boolean {
  return data.role === 'assistant' && asObject(data.time)?.completed === undefined && data.error === undefined
}

function readable(message: Message): JsonObject | undefined {
  try {
    return message.data()
  } catch {
    return undefined // It is counted as bad where it is classified.
  }
}

function messagePlace(place: Place | undefined): MessagePlace {
  const [created, id, part] = Array.isArray(place) ? (place as readonly unknown[]) : []
  return [typeof created === 'number' ? created : Number.MIN_SAFE_INTEGER, asText(id) ?? '', typeof part === 'string' ? part : '']
}
