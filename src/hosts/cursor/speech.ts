/** What was said in the blocks of one record of Cursor's agents, in a transcript or in a store. */
import type { JsonObject } from '../../util/jsonl.ts'
import { asText, IMAGE, isImage, joinSpoken } from '../fields.ts'
import type { Repeats } from '../repeats.ts'
import type { SessionRecord } from '../transcript-source.ts'
import { promptOf, spokenOf } from './human-text.ts'
import { timeOf } from './timestamp.ts'

export type Unkeyed = Omit<SessionRecord, 'key'>

/**
 * With a key made of what it says. The logs of one conversation have nothing else in common, so that words have the same key in the chat of
 * the editor, the transcript and the store, and are mined once whichever of them is there. Not each of them notes pictures.
 */
export function keyed(record: Unkeyed, seen: Repeats): SessionRecord {
  const { role, text, tool } = record
  const words =
    tool === undefined
      ? text
          .split('\n')
          .filter((line) => line !== IMAGE)
          .join('\n')
      : text
  return { ...record, key: seen.key(role, words, tool?.part, tool?.name) }
}

/** When the log changed last, and now; milliseconds since 1970. */
export interface Clock {
  readonly changed: number
  readonly now: number
}

/** Undefined where there are no words: a picture alone says nothing. */
export function speech(parts: readonly JsonObject[], role: 'user' | 'assistant', { changed, now }: Clock): Unkeyed | undefined {
  let time: string | undefined
  const texts = parts.map((part) => {
    if (isImage(part)) return IMAGE
    const text = part.type === 'text' ? asText(part.text) : undefined
    if (text === undefined) return ''
    const prompt = role === 'user' ? promptOf(text) : { text: spokenOf(text) }
    time ??= prompt.time
    return prompt.text
  })
  const text = joinSpoken(texts)
  if (text === '') return undefined
  const at = time === undefined ? undefined : timeOf(time, changed, now)
  return { kind: 'message', role, text, ...(at && { at }) }
}
