/**
 * The texts that agents work from. They ship as files in `templates/`, so that a person can read and judge them; this
 * module finds them, checks them and fills in their placeholders. A text that does not fit its contract is never handed
 * to an agent: half a job text is worse than none.
 */
import { readFileSync } from 'node:fs'
import { MemuError } from '../util/errors.ts'
import { packageFile } from '../util/package-root.ts'

export type JobTemplate = 'memory-job' | 'skill-job' | 'resource-job'
/** `bridging-task`: a scheduled run does everything itself. `bridging-jobs`: `bridge` prepares and commits around it. */
export type TaskTemplate = 'bridging-task' | 'bridging-jobs'
export type TemplateName = JobTemplate | TaskTemplate

/** Where template texts come from. The shipped files for now; later a server and its cache come before them. */
export interface Templates {
  /** The text with its placeholders, valid by `checkTemplate`. Throws `invalid_template` or `template_missing`. */
  text(name: TemplateName): string
}

/**
 * The placeholders of each template: all of them must occur, and no others. `run_mark` is the line by which the run's session is known
 * for ours (`guard/tag.ts`): hosts that name no session to the run have nothing else.
 */
const PLACEHOLDERS = {
  'memory-job': ['input_path', 'track_dir'],
  'skill-job': ['input_path', 'track_dir', 'resource_log'],
  'resource-job': ['verify_command', 'resource_file'],
  'bridging-task': ['binary', 'workspace', 'jobs', 'run_mark'],
  'bridging-jobs': ['binary', 'workspace', 'jobs', 'last_job', 'run_mark'],
} as const satisfies Record<TemplateName, readonly string[]>

export type TemplateValues<Name extends TemplateName> = Readonly<Record<(typeof PLACEHOLDERS)[Name][number], string>>

/** The templates of the package. Each is read and checked on first use. */
export function shippedTemplates(): Templates {
  const texts = new Map<TemplateName, string>()
  return {
    text(name) {
      const known = texts.get(name)
      if (known !== undefined) return known
      const text = readShipped(name)
      checkTemplate(name, text)
      texts.set(name, text)
      return text
    },
  }
}

/**
 * Fills in the placeholders and drops the first line (`# memu-template: <name> v<N>`), which is for programs.
 * `{{` and `}}` become braces; values are inserted as they are, braces in them included.
 */
export function renderTemplate<Name extends TemplateName>(name: Name, text: string, values: TemplateValues<Name>): string {
  checkTemplate(name, text)
  const given = values as Readonly<Record<string, string>>
  const body = normalise(text).replace(HEADER, '')
  return body.replace(TOKEN, (token, placeholder?: string) => (placeholder === undefined ? token.charAt(0) : (given[placeholder] ?? token)))
}

/**
 * What every job text ends with: how the job is marked as finished, and of which run it is. `prepare` appends it, so that no
 * template can forget it.
 */
export function jobDoneNote(binary: string, job: number, run: string): string {
  return `\nWhen this job is done, also when there was nothing to keep, run: ${binary} job-done ${job} --run ${run}\n`
}

/** The version on the first line, for choosing the newer of two texts. */
export function templateVersion(text: string): number {
  return Number(HEADER.exec(normalise(text))?.[2] ?? 0)
}

/** Throws `invalid_template` where the header names another template, or a placeholder is dropped, unknown, or a brace stray. */
export function checkTemplate(name: TemplateName, text: string): void {
  const problem = findProblem(name, normalise(text))
  if (problem !== undefined) {
    throw new MemuError('invalid_template', `the template ${name} is not valid: ${problem}`, {
      hint: 'Reinstall memU; where the text was edited, restore it.',
    })
  }
}

const HEADER = /^# memu-template: ([a-z-]+) v(\d+)\n/
/** A doubled brace, a placeholder, or a brace that is neither. */
const TOKEN = /\{\{|\}\}|\{([a-z_]+)\}|[{}]/g

function findProblem(name: TemplateName, text: string): string | undefined {
  const header = HEADER.exec(text)
  if (header?.[1] !== name) return `its first line is not "# memu-template: ${name} v<number>"`
  const expected: readonly string[] = PLACEHOLDERS[name]
  const found = new Set<string>()
  for (const match of text.matchAll(TOKEN)) {
    const [token, placeholder] = match
    if (placeholder === undefined) {
      if (token.length === 1) return `a stray "${token}" in line ${lineOf(text, match.index)}`
    } else if (!expected.includes(placeholder)) return `an unknown placeholder {${placeholder}} in line ${lineOf(text, match.index)}`
    else found.add(placeholder)
  }
  const dropped = expected.filter((placeholder) => !found.has(placeholder))
  return dropped.length === 0 ? undefined : `the placeholder {${dropped[0]}} is missing`
}

function readShipped(name: TemplateName): string {
  const path = packageFile('templates', `${name}.txt`)
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new MemuError('template_missing', `cannot read the template ${path}`, { cause: error, hint: 'Reinstall memU.' })
  }
}

/** A byte order mark and the line endings of a checkout on Windows are no part of the text. */
function normalise(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n')
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}
