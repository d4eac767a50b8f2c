/** What the store holds after the runs, line by line, each with the session that it came from. */
import type { MemoryBackend } from '../memory/backend.ts'
import type { RecallFile } from '../records.ts'
import type { Lesson } from './learn.ts'

export interface Memory {
  readonly track: string
  readonly file: string
  /** As it is searched: a line of a memory file, or the description of a skill. */
  readonly text: string
  /** `text` without its date and what was before. */
  readonly statement: string
  readonly origin?: Lesson
  /** The earlier statement whose place it took. */
  readonly before?: string
}

/** In the order of the files. Lines that were learned and then replaced are gone. */
export async function memories(backend: MemoryBackend, lessons: readonly Lesson[]): Promise<Memory[]> {
  const found: Memory[] = []
  let cursor: string | null = null
  do {
    const page = await backend.listAllRecallFiles({ cursor })
    for (const file of page.recall_files) {
      for (const text of linesOf(file)) found.push(memory(file, text, lessons))
    }
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

/** The last lesson with these words: what is said again is learned once, and counts from its last time. */
export function originOf(text: string, file: string, lessons: readonly Lesson[]): Lesson | undefined {
  return lessons.findLast((lesson) => lesson.file === file && text.includes(lesson.text))
}

function linesOf({ track, content, description }: RecallFile): string[] {
  if (track === 'skill') return [description]
  return content
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => line.replace(/^- /, ''))
}

function memory({ track, name }: RecallFile, text: string, lessons: readonly Lesson[]): Memory {
  const origin = originOf(text, name, lessons)
  const before = /; before: (.*)\)$/.exec(text)?.[1]
  const statement = text.replace(/ \((?:\d{4}-\d{2}-\d{2}|undated)(?:; before: .*)?\)$/, '')
  return { track, file: name, text, statement, ...(origin === undefined ? {} : { origin }), ...(before === undefined ? {} : { before }) }
}
