/** The memory job by rule: what the user stated in a session goes into the mirror, newer statements in the place of older ones. */
import { basename } from 'node:path'
import type { Learned } from '../../executor.ts'
import type { MessageLine, Slice } from '../slice-reader.ts'
import { classify } from './classify.ts'
import { statementsOf } from './compound.ts'
import { relation } from './contradiction.ts'
import { fileFor, type MemoryFile, type MemoryFiles } from './memory-file.ts'
import type { NotedLine } from './noted-lines.ts'
import { messageKind } from './orders.ts'
import { isTakenBack, type Retraction, retractionIn } from './retraction.ts'
import { sentences } from './sentences.ts'
import type { Kind, Statement } from './statement.ts'

/** Lines that one retraction may be about. */
const MOST_TAKEN_BACK = 2
/** Characters of the older statement that a line carries on. */
const BEFORE_LENGTH = 100

/** Reads the slice and changes `files`; the caller saves. Returns the lines that are new, for the report. */
export async function rememberSession(slice: Slice, files: MemoryFiles): Promise<Learned[]> {
  const project = projectName(slice.header.project)
  const learned: Learned[] = []
  let recent: readonly Learned[] = []
  for await (const line of slice.lines) {
    if (line.role !== 'user') continue
    const said = sentences(line.text)
    const kind = messageKind(said)
    const before = learned.length
    for (const sentence of said) {
      const retraction = retractionIn(sentence)
      if (retraction !== undefined) takeBack(retraction.of, line, recent, related(project, files))
      for (const part of statementsOf(retraction?.rest ?? sentence)) {
        const statement = classify(part, project, kind)
        if (statement === undefined) continue
        const noted = note(statement, line, project, files)
        if (noted !== undefined) learned.push({ ...noted, track: 'memory', ...source(slice, line) })
      }
    }
    recent = learned.slice(before)
  }
  return learned
}

/** "Scratch that" is about the message before, and may still stand in the same one. */
function takeBack(of: Retraction['of'], message: MessageLine, recent: readonly Learned[], files: readonly MemoryFile[]): void {
  const date = message.at?.slice(0, 10)
  const about = files.flatMap((file) =>
    file.noted
      .filter((line) => !isNewer(line, date))
      .filter((line) => (of === 'last' ? recent.some(({ text }) => text === line.text) : isTakenBack(line.text, of)))
      .map((line) => ({ file, line })),
  )
  about.sort((a, b) => (b.line.date ?? '').localeCompare(a.line.date ?? ''))
  // Words that many lines hold do not say which one is meant: then it is the newest.
  for (const { file, line } of about.length > MOST_TAKEN_BACK ? about.slice(0, 1) : about) file.noted.splice(file.noted.indexOf(line), 1)
}

/** The name by which a project is spoken of: the last part of its directory. */
export function projectName(directory: string | undefined): string | undefined {
  const name = directory === undefined ? '' : basename(directory.replaceAll('\\', '/'))
  return name === '' ? undefined : name
}

export function source(slice: Slice, line: { readonly at?: string }): Pick<Learned, 'session' | 'at' | 'project'> {
  const { session, project } = slice.header
  return {
    ...(session === undefined ? {} : { session }),
    ...(line.at === undefined ? {} : { at: line.at }),
    ...(project === undefined ? {} : { project }),
  }
}

/** Files the statement. Undefined where it is known already, or where something newer contradicts it. */
function note(
  statement: Statement,
  message: MessageLine,
  project: string | undefined,
  files: MemoryFiles,
): Pick<Learned, 'file' | 'text'> | undefined {
  const text = withProject(statement, project)
  const date = message.at?.slice(0, 10)
  const target = files.open(...place(statement.kind, project))
  if (target.others.some((line) => relation(text, line.replace(/^\s*[-*] /, '')) === 'same')) return undefined
  let before: string | undefined
  for (const file of related(project, files)) {
    for (const line of [...file.noted]) {
      const found = relation(text, line.text)
      if (found === 'same') {
        renew(file, line, date)
        return undefined
      }
      // Sessions do not always come in the order of time: what was said later may stand there already.
      if (isNewer(line, date) && (found === 'replaces' || relation(line.text, text) === 'replaces')) return undefined
      if (found === 'unrelated') continue
      file.noted.splice(file.noted.indexOf(line), 1)
      before ??= line.text
    }
  }
  target.noted.push({
    text,
    ...(date === undefined ? {} : { date }),
    ...(before === undefined ? {} : { before: shortened(before, project) }),
  })
  return { file: target.name, text }
}

/** Everything that a statement made in this project could contradict. */
function related(project: string | undefined, files: MemoryFiles): MemoryFile[] {
  const kinds: readonly Kind[] = ['preference', 'person', 'decision', 'fact']
  return kinds.map((kind) => files.open(...place(kind, project)))
}

function place(kind: Kind, project: string | undefined): [name: string, description: string] {
  const { name, description } = fileFor(kind, project)
  return [name, description]
}

/** A line is found alone, without its file's name: what belongs to a project says so. */
function withProject({ kind, text }: Statement, project: string | undefined): string {
  const belongs = kind === 'decision' || kind === 'fact'
  return !belongs || project === undefined || names(text, project) ? text : `${project}: ${text}`
}

/** As a word of its own, not as a part of an address or path. */
function names(text: string, project: string): boolean {
  const word = project.toLowerCase().replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`(?<![\\w./@-])${word}(?![\\w/@-]|\\.\\w)`, 'i').test(text)
}

/** Said again: the later date counts when an older session contradicts it. */
function renew(file: MemoryFile, line: NotedLine, date: string | undefined): void {
  if (date !== undefined && (line.date ?? '') < date) file.noted[file.noted.indexOf(line)] = { ...line, date }
}

function isNewer(line: NotedLine, date: string | undefined): boolean {
  return line.date !== undefined && (date === undefined || line.date > date)
}

/** The project's name stands in the line already. */
function shortened(text: string, project: string | undefined): string {
  const own = project !== undefined && text.startsWith(`${project}: `) ? text.slice(project.length + 2) : text
  const plain = own.replace(/\.$/, '')
  return plain.length <= BEFORE_LENGTH ? plain : `${plain.slice(0, BEFORE_LENGTH - 1)}…`
}
