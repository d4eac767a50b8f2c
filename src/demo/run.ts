/**
 * The whole loop on one screen: session logs in both hosts' formats, `bridge` for each host, what was learned and from where, and
 * five questions. Everything happens in a scratch home that is removed at the end.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { argument } from '../detect/places.ts'
import { ownLog } from '../hosts/own-log.ts'
import { claudeCode, codex } from '../hosts/registry.ts'
import type { MemoryBackend } from '../memory/backend.ts'
import { openLocal } from '../memory/open.ts'
import type { System } from '../util/system.ts'
import { type Imported, importSessions, MOST_SESSIONS } from './import-sessions.ts'
import { type HostLessons, type Lesson, learnFrom } from './learn.ts'
import { type Memory, memories, originOf } from './memories.ts'
import { type Question, questionsFrom, SHOP_QUESTIONS } from './questions.ts'
import { type Answered, NARROWEST, type Note, page, WIDEST } from './screen.ts'
import { conversations } from './sessions/shop.ts'
import { writeSessions } from './sessions/write.ts'

export interface DemoOptions {
  /** A directory with session logs of one's own, in place of the demo's: any layout of Claude Code or Codex, loose files, or another host's log. */
  readonly sessions?: string
  /** Leaves the scratch home and says where it is. */
  readonly keep?: boolean
  readonly colour?: boolean
  /** Columns; the terminal's where it is not said, and at most 100. */
  readonly width?: number
  readonly signal?: AbortSignal
  readonly out: (text: string) => void
}

/** Errors: `no_sessions` (exit 2) where `sessions` holds none, `demo_failed`; the signal's reason. The scratch home is gone then too. */
export async function runDemo(options: DemoOptions, system: System): Promise<void> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'memu-demo-')))
  try {
    const provided = await provide(options, home, system)
    const text = await inScratch({ ...system, home, cwd: home, env: {} }, options, provided)
    options.out(text)
    if (options.keep) options.out(`\nKept: ${home}\n`)
  } finally {
    if (!options.keep) rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface Provided {
  readonly notes: readonly Note[]
  /** A log that is read where it lies. */
  readonly elsewhere?: NonNullable<Imported['elsewhere']>
  /** The command that learns more of what was read. */
  readonly more: string
}

/** Puts session logs into the scratch home, or finds out who reads them where they are. */
async function provide({ sessions }: DemoOptions, home: string, system: System): Promise<Provided> {
  const more = `${claudeCode.binary} bridge --executor host`
  if (sessions === undefined) {
    writeSessions(conversations, home, system.now())
    return { notes: [], more }
  }
  const { elsewhere, others, unknown, left } = await importSessions(sessions, home, system)
  if (elsewhere !== undefined) {
    const { of, sessionDir } = elsewhere
    return {
      notes: [],
      elsewhere,
      more: `${of.binary} bridge${of.sessionDir(system) === sessionDir ? '' : ` --session-dir ${argument(sessionDir, system)}`}`,
    }
  }
  return {
    more,
    notes: [
      ...(unknown === 0 ? [] : [{ text: `Files of another shape, passed over: ${unknown}.` }]),
      ...[...others].map(([{ title, binary }, files]) => ({
        text: `Files of ${title}, not looked at here: ${files}. Its own program reads them:`,
        command: `${binary} bridge`,
      })),
      ...olderNote(left),
    ],
  }
}

function olderNote(sessions: number): Note[] {
  return sessions === 0 ? [] : [{ text: `Older sessions, not looked at: ${sessions}.` }]
}

/** `system` is the scratch one: nothing of the real environment or home reaches the run. */
async function inScratch(system: System, options: DemoOptions, { notes, elsewhere, more }: Provided): Promise<string> {
  const backend = await openLocal({ db: join(system.home, '.memu', 'memory.db'), system })
  try {
    const started = performance.now()
    const hosts: HostLessons[] = []
    const signal = options.signal === undefined ? {} : { signal: options.signal }
    for (const spec of [claudeCode, codex]) {
      if ((await ownLog(spec, system))?.source.exists()) hosts.push(await learnFrom(spec, system, backend, signal))
    }
    if (elsewhere !== undefined) {
      const { of, sessionDir } = elsewhere
      hosts.push(await learnFrom(of, system, backend, { ...signal, sessionDir, most: MOST_SESSIONS }))
    }
    const lessons = hosts.flatMap((host) => host.lessons)
    const known = await memories(backend, lessons)
    const learned = performance.now()
    const questions = options.sessions === undefined ? SHOP_QUESTIONS : questionsFrom(known)
    const answers: Answered[] = []
    for (const question of questions) answers.push(await answer(question, backend, lessons, known))
    const asked = performance.now()
    return page(
      {
        hosts,
        memories: known,
        resources: await resourceTexts(backend),
        answers,
        seconds: { learning: (learned - started) / 1000, asking: (asked - learned) / 1000 },
        notes: [
          ...notes,
          ...olderNote(hosts.reduce((sum, { left }) => sum + left, 0)),
          ...advice(options, system.home, known.length, answers.length, more),
        ],
      },
      { colour: options.colour ?? false, width: options.width ?? terminalWidth() },
    )
  } finally {
    await backend.close()
  }
}

/** What to do next, where the page itself does not say enough. A command stands in a note of its own: it is never cut. */
function advice({ sessions, keep }: DemoOptions, home: string, known: number, asked: number, more: string): Note[] {
  if (sessions === undefined) return []
  if (known === 0) {
    return [
      {
        text: 'Nothing in them is stated plainly enough for rules. An agent learns more:',
        command: more,
      },
    ]
  }
  const text = asked === 0 ? 'Nothing that was learned makes a sensible question.' : undefined
  const how = keep
    ? 'Ask yourself:'
    : 'To ask yourself, run the demo again with --keep; it prints a directory, which goes into this command:'
  const db = join(keep ? home : 'DIRECTORY', '.memu', 'memory.db')
  return [{ text: text === undefined ? how : `${text} ${how}`, command: `MEMU_DB=${db} memu retrieve --format text "your question"` }]
}

/** No wider than is read at a glance. */
function terminalWidth(): number {
  return Math.min(WIDEST, process.stdout.isTTY ? Math.max(NARROWEST, process.stdout.columns) : WIDEST)
}

/** As many as a program asks for when it says nothing else. */
const LOOKED_AT = 5
const PLACES = ['first', 'second', 'third', 'fourth', 'fifth']

/** The best line; where a skill's file ranks first and no line does, its description. Says so where another line was meant. */
async function answer(question: Question, backend: MemoryBackend, lessons: readonly Lesson[], known: readonly Memory[]): Promise<Answered> {
  const { segments } = await backend.progressiveRetrieve(question.text, { limit: LOOKED_AT })
  const [best] = segments
  if (best === undefined) return { question: question.text, shows: question.shows }
  const found = segments.map((hit) =>
    known.find(({ track, file, text }) => track === hit.track && file === hit.name && hit.text.includes(text)),
  )
  const place = question.of === undefined ? 0 : found.indexOf(question.of)
  const meant = place === 0 ? {} : { meant: `the line asked for ${place < 0 ? 'was not found' : `came ${PLACES[place]}`}` }
  const origin = originOf(best.text, best.name, lessons)
  const asItIs = { track: best.track, file: best.name, text: best.text, statement: best.text, ...(origin === undefined ? {} : { origin }) }
  return { question: question.text, shows: question.shows, ...meant, memory: found[0] ?? asItIs }
}

async function resourceTexts(backend: MemoryBackend): Promise<string[]> {
  const { resources } = await backend.progressiveRetrieve('document plan report table notes', { limit: 3 })
  return resources.map(({ caption }) => caption)
}
