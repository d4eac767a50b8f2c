/** An answer for people: `--format text` and `--format markdown`. */
import { withoutListMark } from '../../markdown/list-mark.ts'
import type { RetrievedSegment } from '../../memory/backend.ts'
import { printable } from '../../util/printable.ts'
import type { Answer } from './answer.ts'
import type { Format } from './args.ts'

export function formatAnswer(answer: Answer, format: Exclude<Format, 'json'>): string {
  const notice = answer.notice === undefined ? '' : `${format === 'text' ? 'note:' : '>'} ${printable(answer.notice)}\n\n`
  if (answer.segments.length + answer.files.length + answer.resources.length === 0) return `${notice}Nothing found.\n`
  return notice + (format === 'text' ? text(answer) : markdown(answer))
}

function text({ segments, files, resources }: Answer): string {
  return sections([
    segments.map((segment) => `${segment.score.toFixed(2)}  ${lineOf(segment)}\n      ${printable(segment.source_file)}`),
    files.map(
      (file) =>
        `file  ${printable(`${file.track}/${file.name}`)}${summary(file.description)}\n      ${printable(file.path ?? '(no copy)')}`,
    ),
    resources.map((resource) => `also  ${printable(resource.path)}${summary(resource.caption)}`),
  ])
}

function markdown({ segments, files, resources }: Answer): string {
  const titled = (title: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [`## ${title}\n`, ...lines])
  return sections([
    titled(
      'Lines',
      segments.map((segment) => `- ${lineOf(segment)} (\`${printable(segment.source_file)}\`)`),
    ),
    titled(
      'Files',
      files.map((file) => `- \`${printable(file.path ?? `${file.track}/${file.name}`)}\`${summary(file.description)}`),
    ),
    titled(
      'Resources',
      resources.map((resource) => `- \`${printable(resource.path)}\`${summary(resource.caption)}`),
    ),
  ])
}

function sections(groups: readonly (readonly string[])[]): string {
  return `${groups
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`
}

function summary(value: string): string {
  return value.trim() === '' ? '' : `: ${printable(value)}`
}

/** The words alone: without the mark of a list, which this list has too, and of a skill `name: what it is for`. */
function lineOf({ track, text: stored }: RetrievedSegment): string {
  const skill = track === 'skill' ? /^name: (.*)\ndescription: (.*)$/s.exec(stored) : null
  const words = skill === null ? withoutListMark(stored) : skill.slice(1).join(': ')
  return printable(words)
}
