/** Reading single fields of foreign records: every one may be missing or of another type, and none may sink a session. */
import { digest, type JsonObject } from '../util/jsonl.ts'
import type { SessionFacts } from './transcript-source.ts'

/** Stands in a text where the host logged a picture. */
export const IMAGE = '[image]'

/** The first day from which any of these programs can have logged; what is older is a broken clock. */
const EARLIEST = Date.UTC(2015, 0, 1)
const DAY = 24 * 60 * 60 * 1000

export function asObject(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined
}

/** A string with something in it besides white space. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/**
 * UTC ISO time from an ISO string or a number of seconds or milliseconds since 1970. Absent where it is neither, or lies
 * before 2015 or more than a day after `now`: a time is never invented.
 */
export function asTime(value: unknown, now: number): string | undefined {
  const time =
    typeof value === 'string' ? Date.parse(value) : typeof value === 'number' ? (value > 1e11 ? value : value * 1000) : Number.NaN
  return time >= EARLIEST && time <= now + DAY ? new Date(time).toISOString() : undefined
}

/** `content` as a list of blocks, whether the host wrote a string, a block, a list of blocks or a list of strings. */
export function asBlocks(content: unknown): JsonObject[] {
  const items = Array.isArray(content) ? content : [content]
  return items.flatMap((item) => {
    if (typeof item === 'string') return [{ type: 'text', text: item }]
    const block = asObject(item)
    return block === undefined ? [] : [block]
  })
}

/** What was said in several texts, of which some may be empty: one a line. Empty where it is nothing but pictures. */
export function joinSpoken(texts: readonly string[]): string {
  const spoken = texts.filter((text) => text !== '')
  return spoken.some((text) => text !== IMAGE) ? spoken.join('\n') : ''
}

/** Of what may be known of a session, what is. */
export function sessionFacts({
  title,
  project,
  branch,
  internal,
}: { [fact in keyof SessionFacts]: SessionFacts[fact] | undefined }): SessionFacts {
  return { ...(title && { title }), ...(project && { project }), ...(branch && { branch }), ...(internal && { internal }) }
}

/** What is kept of a title, a folder or a branch from read to read, in characters: the longest path that systems know. */
const LONGEST_FACT = 4096

/** What a dialect remembers, as the cursor holds it: a title of megabytes must not stand in every manifest, and is cut in `state` itself. */
export function storedState(state: object): JsonObject {
  const stored = state as Record<string, unknown>
  for (const fact of ['title', 'project', 'branch']) {
    const value = stored[fact]
    if (typeof value === 'string' && value.length > LONGEST_FACT) stored[fact] = value.slice(0, LONGEST_FACT)
  }
  return stored
}

/** The text of tool output: strings and text blocks, one a line; a picture as `[image]`. */
export function outputText(content: unknown): string {
  return asBlocks(content)
    .map((block) => (isImage(block) ? IMAGE : asText(block.text)))
    .filter((text) => text !== undefined)
    .join('\n')
}

/** `image` and `input_image` blocks, and `document` ones, which are pages of pictures to a reader of text. */
export function isImage(block: JsonObject): boolean {
  return block.type === 'image' || block.type === 'input_image' || block.type === 'document'
}

/** An object or a list that stands as JSON in a string. What is none stays as it is: free-form input, or cut off by the program. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[{[]/.test(value)) return value
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

/**
 * What a tool was asked, as text: the command line itself of a shell call (a string or a list of arguments under `command`
 * or `cmd`), otherwise the input as JSON.
 */
export function callText(input: unknown): string {
  if (typeof input === 'string') return input
  const fields = asObject(input)
  const command = fields?.command ?? fields?.cmd
  if (typeof command === 'string') return command
  if (Array.isArray(command) && command.every((part) => typeof part === 'string')) return commandLine(command)
  return input === undefined ? '' : JSON.stringify(input)
}

/** Where a call says that it runs, for a tool's fields: not in its text, which would say the same of nearly every call. */
export function callPlace(input: unknown): { readonly directory?: string } {
  const fields = asObject(input)
  const names = ['workdir', 'cwd', 'working_directory', 'workingDirectory', 'dir_path', 'directory']
  const directory = names.map((name) => fields?.[name]).find((value) => typeof value === 'string' && value !== '')
  return typeof directory === 'string' ? { directory } : {}
}

/** `["bash", "-lc", "npm test"]` is `npm test`; other lists are joined. */
function commandLine(parts: readonly string[]): string {
  const script = parts[2]
  if (parts.length === 3 && script !== undefined && /^-l?c$/.test(parts[1] ?? '')) return script
  return parts.join(' ')
}

/** The key of a record to which the host gave no id. */
export function contentKey(...parts: readonly unknown[]): string {
  return digest(JSON.stringify(parts))
}
