/** Writes a fix as a skill: how a command failed, and what made it work. */
import { fileNameFor } from '../../../markdown/file-names.ts'
import { formatMemoryText } from '../../../markdown/front-matter.ts'
import type { Layout } from '../../layout.ts'
import { mirrorText, writeMirror } from '../mirror-text.ts'
import type { Fix } from './commands.ts'
import { slug } from './memory-file.ts'
import { NOTED_HEADING } from './noted-lines.ts'

const NAME_LENGTH = 60

export interface WrittenSkill {
  readonly file: string
  readonly text: string
}

/** Writes or renews the skill. Undefined where it stands there already, is somebody else's, or is newer. Errors: `unreadable_memory`. */
export function writeSkill(tree: Layout, fix: Fix, project: string | undefined): WrittenSkill | undefined {
  const name = skillName(fix)
  const path = `skill/${fileNameFor(name)}`
  const description = describe(fix, project)
  const date = fix.at?.slice(0, 10)
  const text = formatMemoryText({ name, description, content: body(fix, project, date) })
  const existing = mirrorText(tree, path)
  if (existing !== undefined && (!existing.includes(NOTED_HEADING) || dateOf(existing) >= (date ?? ''))) return undefined
  writeMirror(tree, [{ path, text }])
  return { file: name, text: description }
}

/** `fix-npm-test-econnrefused`: the command's first words and what is special about the error. */
function skillName({ command, error }: Fix): string {
  const program = command
    .split(/\s+/)
    .filter((word) => /^[A-Za-z][\w:.-]*$/.test(word))
    .slice(0, 2)
    .join(' ')
  const code = /\b(?:E[A-Z]{4,}\w*|ERR_\w+|[A-Z]{2,}\d{2,}|[A-Z]\w+(?:Error|Exception))\b/.exec(error)?.[0]
  const words = code ?? (error.match(/[\p{L}][\p{L}\p{N}]{3,}/gu) ?? []).slice(0, 4).join(' ')
  return slug(`fix ${program} ${words}`).slice(0, NAME_LENGTH).replace(/-+$/, '')
}

/** The only part that is searched: it holds the command, the error and the remedy. */
function describe({ command, error, steps }: Fix, project: string | undefined): string {
  const where = project === undefined ? '' : ` in ${project}`
  const remedy =
    steps.length === 1
      ? `run \`${steps[0]}\` instead`
      : `run ${steps
          .slice(0, -1)
          .map((step) => `\`${step}\``)
          .join(', then ')} first, then \`${steps.at(-1)}\``
  return `When \`${command}\`${where} fails with "${error}": ${remedy}.`
}

function body({ command, error, steps }: Fix, project: string | undefined, date: string | undefined): string {
  const seen = `Seen ${date === undefined ? 'once' : `on ${date}`}${project === undefined ? '' : ` in ${project}`}: the command failed and then worked. Not checked by anybody.`
  return [
    NOTED_HEADING,
    seen,
    '## When to use',
    `\`${command}\` fails with:\n\n    ${error}`,
    '## Steps',
    steps.map((step, index) => `${index + 1}. \`${step}\``).join('\n'),
    '## Check',
    `The last command ends without the error.`,
  ].join('\n\n')
}

function dateOf(skill: string): string {
  return /^Seen on (\d{4}-\d{2}-\d{2})/m.exec(skill)?.[1] ?? ''
}
