/** The demo's page: one screen, colour only where it is seen. What does not fit is left out whole and counted, never cut in its middle. */
import { plural } from '../util/plural.ts'
import { printable } from '../util/printable.ts'
import type { HostLessons, Lesson } from './learn.ts'
import { learnedLines } from './learned.ts'
import type { Memory } from './memories.ts'
import { type Palette, palette } from './palette.ts'
import { withShortError } from './skill-text.ts'
import { wrap } from './wrap.ts'

export interface Answered {
  readonly question: string
  readonly shows: string
  /** The best hit, or undefined where nothing came back. */
  readonly memory?: Memory
  /** Where the hit is not the line that the question is made of: where that one came. */
  readonly meant?: string
}

export interface Note {
  readonly text: string
  /** To be typed; on a line of its own, and never broken. */
  readonly command?: string
}

export interface Page {
  readonly hosts: readonly HostLessons[]
  readonly memories: readonly Memory[]
  readonly resources: readonly string[]
  readonly answers: readonly Answered[]
  readonly seconds: { readonly learning: number; readonly asking: number }
  readonly notes: readonly Note[]
}

export interface Shape {
  readonly colour: boolean
  readonly width: number
}

export const WIDEST = 100
export const NARROWEST = 60
/** With the prompt that follows it stands in a window of 48 lines. */
const MOST_LINES = 46
/** The list shrinks to this before answers are shortened. */
const FEWEST_LEARNED = 6
/** An answer that is longer ends at a word, with a sign that it goes on. */
const ANSWER_LINES = [4, 3, 2]

export function page(content: Page, { colour, width }: Shape): string {
  const colours = palette(colour)
  const head = headLines(content, width, colours)
  const tail = noteLines(content.notes, width, colours)
  const asked = ANSWER_LINES.map((most) => askedLines(content, width, most, colours))
  const free = (lines: readonly string[]): number => MOST_LINES - head.length - tail.length - lines.length - 1
  const answers = asked.find((lines) => free(lines) >= FEWEST_LEARNED) ?? asked.at(-1)!
  const learned = learnedLines(content.memories, content.resources, Math.max(0, free(answers)), width, colours)
  return `${[...head, ...learned, '', ...answers, ...tail].join('\n')}\n`
}

function headLines({ hosts, seconds }: Page, width: number, { bold, dim }: Palette): string[] {
  return [
    bold('memU demo') +
      dim(fitting([`  ${span(hosts)} of work with coding agents, and what is known afterwards`, `  ${span(hosts)} of work`], width - 9)),
    '',
    bold('Read'),
    ...hosts.flatMap((host) => wrap(sessionsText(host), width - 2).map((line, index) => `  ${index === 0 ? '' : '  '}${line}`)),
    '',
    bold('Learned') + dim(`  by rules alone: no model, no network, ${seconds.learning.toFixed(1)} s`),
  ]
}

/** "27 days", from the first message to the last. */
function span(hosts: readonly HostLessons[]): string {
  const days = hosts
    .flatMap(({ from, to }) => [from, to])
    .filter((day) => day !== undefined)
    .sort()
  const [first, last] = [days[0], days.at(-1)]
  if (first === undefined || last === undefined) return 'Some sessions'
  return plural((Date.parse(last) - Date.parse(first)) / DAY_MS + 1, 'day')
}

const DAY_MS = 86_400_000

function sessionsText({ title, sessions, messages, tools, from, to, skippedLines }: HostLessons): string {
  const when = [from, to].filter((day, index, days) => day !== undefined && days.indexOf(day) === index).join(' to ')
  const skipped = skippedLines === 0 ? '' : `${plural(skippedLines, 'unreadable line')} skipped`
  const counts = [plural(sessions, 'session'), when, plural(messages, 'message'), plural(tools, 'tool record'), skipped]
  return `${title.padEnd(12)} ${counts.filter((part) => part !== '').join(', ')}`
}

function askedLines({ answers, seconds }: Page, width: number, most: number, colours: Palette): string[] {
  const { bold, dim } = colours
  if (answers.length === 0) return [bold('Asked') + dim('  nothing')]
  const each = Math.round((1000 * seconds.asking) / answers.length)
  return [
    bold('Asked') + dim(`  ${plural(answers.length, 'question')}, ${each} ms${answers.length === 1 ? '' : ' each'}`),
    ...answers.flatMap((answer, index) => answerLines(answer, index + 1, width, most, colours)),
  ]
}

function answerLines(
  { question, shows, memory, meant }: Answered,
  number: number,
  width: number,
  most: number,
  colours: Palette,
): string[] {
  const { bold, dim, accent } = colours
  const words = wrap(printable(question), width - 4)
  const label = (words.at(-1)?.length ?? 0) + shows.length + 6 <= width ? `  ${dim(shows)}` : ''
  const asked = words.map((line, index) => `  ${index === 0 ? number : ' '} ${bold(line)}${index === words.length - 1 ? label : ''}`)
  if (memory === undefined) return [...asked, `    ${dim('nothing that answers it')}`]
  const answer = shortened(wrap(withShortError(printable(memory.text)), width - 6), most, width - 6)
  const origin = ` ${memory.track}/${memory.file}, ${originText(memory.origin)}${meant === undefined ? '' : `; ${meant}`}`.trim()
  const end = answer.at(-1)!
  const lines = answer.map((line, index) => `    ${index === 0 ? accent('→') : ' '} ${line}`)
  // Behind the answer where there is room, below it otherwise.
  if (end.length + origin.length + 8 <= width) return [...asked, ...lines.slice(0, -1), `${lines.at(-1)}  ${dim(origin)}`]
  return [...asked, ...lines, ...wrap(origin, width - 6).map((line) => `      ${dim(line)}`)]
}

function shortened(lines: readonly string[], most: number, width: number): string[] {
  if (lines.length <= most) return [...lines]
  const last = lines[most - 1]!
  return [...lines.slice(0, most - 1), `${last.length + 2 <= width ? last : last.replace(/ \S*$/, '')} …`]
}

function originText(origin: Lesson | undefined): string {
  if (origin === undefined) return ''
  return [origin.host, origin.at?.slice(0, 10), origin.session?.slice(0, 8)].filter((part) => part !== undefined).join(' ')
}

function noteLines(notes: readonly Note[], width: number, { dim }: Palette): string[] {
  if (notes.length === 0) return []
  return ['', ...notes.flatMap(({ text, command }) => [...wrap(text, width).map(dim), ...(command === undefined ? [] : [`  ${command}`])])]
}

function fitting(choices: readonly string[], width: number): string {
  return choices.find((choice) => choice.length <= width) ?? ''
}
