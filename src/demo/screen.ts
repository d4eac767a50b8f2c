/** The demo's page: at most a screen, 100 columns, colour only where it is seen. */
import { printable } from '../util/printable.ts'
import type { HostLessons, Lesson } from './learn.ts'
import type { Memory } from './memories.ts'

export interface Answered {
  readonly question: string
  readonly shows: string
  /** The best hit, or undefined where nothing came back. */
  readonly memory?: Memory
}

export interface Page {
  readonly hosts: readonly HostLessons[]
  readonly memories: readonly Memory[]
  readonly resources: readonly string[]
  readonly answers: readonly Answered[]
  readonly seconds: { readonly learning: number; readonly asking: number }
  readonly notes: readonly string[]
}

const WIDTH = 100
/** Of the lines that were learned; the rest is counted. */
const MOST_MEMORIES = 24
const ORIGIN_WIDTH = 31

export function page({ hosts, memories, resources, answers, seconds, notes }: Page, colour: boolean): string {
  const { bold, dim, accent } = palette(colour)
  const shown = memories.slice(0, MOST_MEMORIES)
  const lines = [
    bold('memU demo') + dim('  what agents were told, and what they found out, is there in the next session'),
    '',
    bold('Read'),
    ...hosts.map((host) => `  ${sessionsText(host)}`),
    '',
    bold('Learned') + dim(`  by rules alone: no model, no network, ${seconds.learning.toFixed(1)} s`),
    ...byFile(shown, (text) => accent(text), dim),
    ...(memories.length > shown.length ? [dim(`  … and ${memories.length - shown.length} more`)] : []),
    ...resources.slice(0, 2).map((resource) => `  ${accent('file')} ${clip(resource, WIDTH - 7)}`),
    '',
    bold('Asked') + dim(`  ${answers.length} questions, ${Math.round((1000 * seconds.asking) / Math.max(1, answers.length))} ms each`),
    ...answers.flatMap((answer, index) => answerLines(answer, index + 1, { bold, dim, accent })),
    ...(notes.length === 0 ? [] : ['', ...notes.map((note) => dim(clip(note, WIDTH)))]),
  ]
  return `${lines.join('\n')}\n`
}

function sessionsText({ title, sessions, messages, tools, from, to, skippedLines }: HostLessons): string {
  const when = [from, to].filter((day, index, days) => day !== undefined && days.indexOf(day) === index).join(' to ')
  const skipped = skippedLines === 0 ? '' : `${skippedLines} unreadable lines skipped`
  const counts = [plural(sessions, 'session'), when, plural(messages, 'message'), plural(tools, 'tool record'), skipped]
  return `${title.padEnd(12)} ${counts.filter((part) => part !== '').join(', ')}`
}

/** Grouped by file; each line with the host, day and session that it came from. */
function byFile(memories: readonly Memory[], mark: (text: string) => string, dim: (text: string) => string): string[] {
  const files = [...new Set(memories.map(({ track, file }) => `${track}/${file}`))]
  return files.flatMap((path) => [
    `  ${mark(printable(path))}`,
    ...memories
      .filter(({ track, file }) => `${track}/${file}` === path)
      .map(
        ({ text, origin }) =>
          `    ${clip(printable(plainText(text)), WIDTH - 6 - ORIGIN_WIDTH).padEnd(WIDTH - 6 - ORIGIN_WIDTH)}  ${dim(originColumns(origin))}`,
      ),
  ])
}

function answerLines({ question, shows, memory }: Answered, number: number, { bold, dim, accent }: Palette): string[] {
  const asked = `  ${number} ${bold(clip(printable(question), 64))}  ${dim(shows)}`
  if (memory === undefined) return [asked, `    ${dim('nothing that answers it')}`]
  const words = wrap(printable(memory.text), WIDTH - 6, 2)
  return [
    asked,
    ...words.map((line, index) => `    ${index === 0 ? accent('→') : ' '} ${line}`),
    `      ${dim(`${memory.track}/${memory.file}, ${originText(memory.origin)}`)}`,
  ]
}

/** Without the date, which stands in the column of origins. What was before stays. */
function plainText(text: string): string {
  return text.replace(/ \((?:\d{4}-\d{2}-\d{2}|undated)(?:; (before: .*))?\)$/, (_, before?: string) =>
    before === undefined ? '' : ` (${before})`,
  )
}

function originText(origin: Lesson | undefined): string {
  if (origin === undefined) return ''
  return [origin.host, origin.at?.slice(0, 10), origin.session?.slice(0, 8)].filter((part) => part !== undefined).join(' ')
}

/** The same in columns. */
function originColumns(origin: Lesson | undefined): string {
  if (origin === undefined) return ''
  return `${origin.host.padEnd(11)} ${(origin.at?.slice(0, 10) ?? '').padEnd(10)} ${origin.session?.slice(0, 8) ?? ''}`
}

function wrap(text: string, width: number, most: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length + 1 > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  lines.push(line)
  return lines.length <= most ? lines : [...lines.slice(0, most - 1), clip(lines.slice(most - 1).join(' '), width)]
}

function clip(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, width - 1)}…`
}

function plural(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`
}

interface Palette {
  readonly bold: (text: string) => string
  readonly dim: (text: string) => string
  readonly accent: (text: string) => string
}

function palette(colour: boolean): Palette {
  const style = (code: number) => (text: string) => (colour && text !== '' ? `\u001b[${code}m${text}\u001b[0m` : text)
  return { bold: style(1), dim: style(2), accent: style(36) }
}
