/**
 * What a call of ours leaves behind for later calls of its session: a process in the background, by the name that the host gave it, and
 * files with its output. Who asks for these gets memory, though nothing in the call says so.
 */
import { commandLinesOf, inputFields } from './call-input.ts'
import { invocations } from './invocations.ts'
import { type IsOwnCall, ownCall } from './own-call.ts'
import { ownFiles } from './own-files.ts'

export interface Traces {
  /** A call of ours: the files that it writes. */
  called(text: string): void
  /** The result of a call: what it says to run on is ours from then on, or no longer. */
  answered(text: string, isOurs: boolean): void
  /** Whether another call asks for what one of ours left. Files that it writes anew are ours no longer. */
  askedFor(name: string | undefined, text: string): boolean
  /** To be given to the session's next guard. */
  readonly kept: readonly string[]
}

const TASK = 'task '
const FILE = 'file '
/** Of either kind; older ones are forgotten. */
const MOST = 64

/** Whether a stored word is one of `Traces.kept`. */
export function isTrace(word: string): boolean {
  return word.startsWith(TASK) || word.startsWith(FILE)
}

export function callTraces(before: readonly string[], home: string): Traces {
  const tasks = new Set(before.filter((word) => word.startsWith(TASK)).map((word) => word.slice(TASK.length)))
  const files = new Set(before.filter((word) => word.startsWith(FILE)).map((word) => word.slice(FILE.length)))
  let reads: IsOwnCall | undefined
  const add = (set: Set<string>, word: string): void => {
    set.delete(word)
    set.add(word)
    if (set.size > MOST) set.delete(set.values().next().value as string)
    reads = undefined
  }
  const readsFile = (name: string | undefined, text: string): boolean => {
    reads ??= ownCall(ownFiles([...files], home), [...files])
    return reads(name, text)
  }
  return {
    called(text) {
      for (const file of commandLinesOf(text).flatMap(written)) add(files, file)
    },
    answered(text, isOurs) {
      if (!isOurs && tasks.size === 0) return
      const said = text.length > 2 * NEAR ? `${text.slice(0, NEAR)}\n${text.slice(-NEAR)}` : text
      if (!RUNS_ON.test(said)) return
      for (const [, task = ''] of said.matchAll(TASK_NAME)) {
        if (isOurs) add(tasks, task)
        else tasks.delete(task)
      }
      if (isOurs) for (const [, file = ''] of said.matchAll(LOG_FILE)) add(files, file)
    },
    askedFor(name, text) {
      if (tasks.size > 0 && namesTask(text, tasks)) return true
      if (files.size === 0 || !readsFile(name, text)) return false
      for (const file of overwritten(text)) if (files.delete(file)) reads = undefined
      return readsFile(name, text)
    },
    get kept() {
      return [...[...tasks].map((task) => TASK + task), ...[...files].map((file) => FILE + file)]
    },
  }
}

/** What hosts say of a command that goes on stands at either end of its output. Characters. */
const NEAR = 600
const RUNS_ON = /\b(?:running|started|background|still)\b/i
/** `with ID: bash_1`, `session ID 5`, `"session_id":"proc_1"`, `shellId: 5`, `PID 4711`, `(session amber-otter, …)`. */
const TASK_NAME = /\b(?:[a-z]{0,20}[ _]?id|pid|session)s?\b["']?\s{0,2}[:=]?\s{0,2}["'`]?([\w-]{1,64})/gi
/** `Output is being written to: /tmp/tasks/b1.output`. */
const LOG_FILE =
  /\b(?:output|log|logs|written|saved|redirected)\b[^\n/\\]{0,40}?((?:\/|[A-Za-z]:\\|~\/)[^\s"'`<>|]{1,500}?)(?=[.,;)]*(?:[\s"'`<>|]|$))/gi

const TASK_FIELD =
  /^(?:(?:bash|shell|task|session|process|job|terminal|command|cell|exec|background|run)_?)(?:id|pid)s?$|^(?:pid|session|shell|process|job|task|cell)$/i
/** The same in a program's text: `tools.write_stdin({session_id: 5})`. */
const WRITTEN_FIELD = /\b(\w{2,40})["']?\s{0,4}:\s{0,4}["']?([\w-]{1,64})/g

function namesTask(text: string, tasks: ReadonlySet<string>): boolean {
  const fields = inputFields(text)
  if (fields !== undefined) {
    return fields.some(({ name, value }) => tasks.has(value) && (TASK_FIELD.test(name) || (/^id$/i.test(name) && /\D/.test(value))))
  }
  if (!/\btools\.\w/.test(text)) return false
  return [...text.matchAll(WRITTEN_FIELD)].some(([, name = '', value = '']) => TASK_FIELD.test(name) && tasks.has(value))
}

const COPIES = /^(?:cp|mv|install|rsync|copy|move|copy-item|move-item)$/

/** The files that the commands of a line write: targets of redirections (what is read through `<` is among them), of `tee`, and of copies. */
function written(line: string): string[] {
  return invocations(line)
    .flatMap(({ program, words, files }) => {
      const operands = words.filter(({ text }) => !text.startsWith('-'))
      if (/^(?:tee|tee-object)$/.test(program)) return [...files, ...operands]
      return COPIES.test(program) ? [...files, ...operands.slice(-1)] : files
    })
    .map(({ text }) => text)
    .filter(isPlace)
}

/** What the call puts in place of what a file held. */
function overwritten(text: string): string[] {
  const fields = inputFields(text)
  if (fields?.some(({ name }) => /^(?:content|contents|file_?text)$/i.test(name))) {
    return fields.filter(({ name }) => /path|file/i.test(name)).map(({ value }) => value)
  }
  return commandLinesOf(text).flatMap((line) => invocations(line).flatMap(({ outputs }) => outputs.map((file) => file.text)))
}

/** No number of a stream, no device, and nothing that only a shell could resolve. */
function isPlace(file: string): boolean {
  return file.length < 500 && !/^(?:\d*|-|&.*|\/dev\/.*|\/|\.{1,2}|~|nul|\$null)$/i.test(file)
}
