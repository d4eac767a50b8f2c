/** Notices a folder of session logs that is another host's: read as this host's, it would hold nothing new and not a word would be said. */

import { MemuError } from '../util/errors.ts'
import type { JsonObject } from '../util/jsonl.ts'
import { headOfFile } from '../util/look.ts'
import { child, entries } from './directory.ts'
import { asObject } from './fields.ts'
import type { HostSpec } from './host-spec.ts'
import { hostSpecs } from './registry.ts'

export interface ForeignLog {
  /** Log files that were looked at; none of them is the host's. */
  readonly files: number
  /** There are more of them. */
  readonly more?: true
  /** Whose they are, where that can be told. */
  readonly of?: HostSpec
}

/** Of a large folder a sample tells: a single file of the host's own makes it the host's. */
const MOST_FILES = 50
const DEPTH = 6
/** Enough for some records, of which the first may hold a whole system prompt. */
const HEAD_BYTES = 256 * 1024
const DATABASE = /\.(?:db|sqlite|vscdb)$/

/**
 * Undefined where a log of the host lies there, or no log at all. Reads the beginnings of some files; unreadable ones tell nothing.
 * `hosts` are those whose records are known.
 */
export function foreignLog(spec: HostSpec, directory: string, hosts: readonly HostSpec[] = hostSpecs): ForeignLog | undefined {
  if (spec.isRecord === undefined) return undefined
  let files = 0
  let of: HostSpec | undefined
  let hasDatabase = false
  let more = false
  for (const path of logFiles(directory, DEPTH)) {
    hasDatabase ||= DATABASE.test(path)
    const records = DATABASE.test(path) ? undefined : recordsOf(path)
    if (records === undefined) continue
    if (files === MOST_FILES) {
      more = true
      break
    }
    files++
    const mostKnown = Math.max(...hosts.map((other) => knownTo(other, records)))
    // One record in a form that two hosts have does not make a log of the other its own.
    if (mostKnown > 0 && knownTo(spec, records) === mostKnown) return undefined
    of ??= hostOf(records, hosts)
  }
  // Its sessions may well lie in the database, and these files be something else.
  if (files === 0 || (of === undefined && hasDatabase)) return undefined
  return { files, ...(more && { more }), ...(of === undefined ? {} : { of }) }
}

/**
 * The host that writes such records: the one that knows more of them than every other. Undefined where none does, or two do alike:
 * some hosts' records are one family, and a guess would send a person to the wrong program.
 */
export function hostOf(records: readonly JsonObject[], hosts: readonly HostSpec[] = hostSpecs): HostSpec | undefined {
  const [first, second] = hosts.map((spec) => ({ spec, count: knownTo(spec, records) })).sort((a, b) => b.count - a.count)
  return first !== undefined && first.count > (second?.count ?? 0) ? first.spec : undefined
}

function knownTo({ isRecord }: HostSpec, records: readonly JsonObject[]): number {
  return isRecord === undefined ? 0 : records.filter(isRecord).length
}

/** Throws `wrong_host` (exit 2) where the folder that the user named is another host's. */
export function refuseForeignLog(verb: string, spec: HostSpec, directory: string | undefined): void {
  const found = directory === undefined ? undefined : foreignLog(spec, directory)
  if (directory === undefined || found === undefined) return
  throw new MemuError('wrong_host', foreignText(spec, directory, found), {
    hint: found.of === undefined ? `Give the folder in which ${spec.title} keeps its sessions.` : commandFor(verb, found.of, directory),
    exit: 2,
  })
}

/** One sentence. */
export function foreignText({ title }: HostSpec, directory: string, { files, more, of }: ForeignLog): string {
  const whose = of === undefined ? '' : `; they are logs of ${of.title}`
  return `${files === 1 ? '1 file' : `${more ? 'More than ' : ''}${files} files`} in ${directory}, none of them a log of ${title}${whose}.`
}

/** The program to use instead; `directory` where it would not look there by itself. */
export function commandFor(verb: string, of: HostSpec, directory?: string): string {
  return `Did you mean ${of.binary} ${verb}${directory === undefined ? '' : ` --session-dir ${directory}`}?`
}

function* logFiles(directory: string, depth: number): Generator<string> {
  for (const entry of entries(directory, () => {})) {
    const path = child(directory, entry.name)
    if (entry.isFile() && (entry.name.endsWith('.jsonl') || DATABASE.test(entry.name))) yield path
    else if (entry.isDirectory() && depth > 0) yield* logFiles(path, depth - 1)
  }
}

/** The first records of a file; undefined where it cannot be read, is empty, or is cut off within its first line. */
function recordsOf(path: string): JsonObject[] | undefined {
  const lines = headOfFile(path, HEAD_BYTES)?.split('\n').slice(0, -1)
  if (lines === undefined || lines.length === 0) return undefined
  return lines.flatMap((line) => {
    try {
      const record = asObject(JSON.parse(line))
      return record === undefined ? [] : [record]
    } catch {
      return [] // No record, or a damaged one: the others tell.
    }
  })
}
