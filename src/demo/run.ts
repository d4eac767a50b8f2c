/**
 * The whole loop on one screen: session logs in both hosts' formats, `bridge` for each host, what was learned and from where, and
 * five questions. Everything happens in a scratch home that is removed at the end.
 */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { claudeCode, codex } from '../hosts/registry.ts'
import type { MemoryBackend } from '../memory/backend.ts'
import { openLocal } from '../memory/open.ts'
import type { System } from '../util/system.ts'
import { importSessions } from './import-sessions.ts'
import { type HostLessons, type Lesson, learnFrom } from './learn.ts'
import { type Memory, memories, originOf } from './memories.ts'
import { type Question, questionsFrom, SHOP_QUESTIONS } from './questions.ts'
import { type Answered, page } from './screen.ts'
import { conversations } from './sessions/shop.ts'
import { writeSessions } from './sessions/write.ts'

export interface DemoOptions {
  /** A directory with session logs of one's own, in place of the demo's: any layout of Claude Code or Codex, or loose files. */
  readonly sessions?: string
  /** Leaves the scratch home and says where it is. */
  readonly keep?: boolean
  readonly colour?: boolean
  readonly signal?: AbortSignal
  readonly out: (text: string) => void
}

/** Errors: `no_sessions` (exit 2) where `sessions` holds none, `demo_failed`; the signal's reason. The scratch home is gone then too. */
export async function runDemo(options: DemoOptions, system: System): Promise<void> {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'memu-demo-')))
  try {
    const notes = provide(options, home, system)
    const text = await inScratch({ ...system, home, cwd: home, env: {} }, options, notes)
    options.out(text)
    if (options.keep) options.out(`\nKept: ${home}\n`)
  } finally {
    if (!options.keep) rmSync(home, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Puts session logs into the scratch home; returns what there is to say about them. */
function provide({ sessions }: DemoOptions, home: string, system: System): string[] {
  if (sessions === undefined) {
    writeSessions(conversations, home, system.now())
    return []
  }
  const { unknown, left } = importSessions(sessions, home)
  return [
    ...(unknown === 0 ? [] : [`Files of another shape, passed over: ${unknown}.`]),
    ...(left === 0 ? [] : [`Older sessions, not looked at: ${left}.`]),
  ]
}

/** `system` is the scratch one: nothing of the real environment or home reaches the run. */
async function inScratch(system: System, options: DemoOptions, notes: readonly string[]): Promise<string> {
  const backend = await openLocal({ db: join(system.home, '.memu', 'memory.db'), system })
  try {
    const started = performance.now()
    const hosts: HostLessons[] = []
    for (const spec of [claudeCode, codex]) {
      const source = await spec.source(spec.sessionDir(system), system)
      if (source.exists()) hosts.push(await learnFrom(spec, system, backend, options.signal))
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
        notes: [...notes, ...(known.length === 0 ? [NOTHING] : [])],
      },
      options.colour ?? false,
    )
  } finally {
    await backend.close()
  }
}

const NOTHING = 'Nothing in them is stated plainly enough for rules. An agent learns more: memu-claude-code bridge --executor host'

/** The best line; where a skill's file ranks first and no line does, its description. */
async function answer(question: Question, backend: MemoryBackend, lessons: readonly Lesson[], known: readonly Memory[]): Promise<Answered> {
  const { segments } = await backend.progressiveRetrieve(question.text, { limit: 1 })
  const [best] = segments
  const found = { question: question.text, shows: question.shows }
  if (best === undefined) return found
  const memory = known.find(({ track, file, text }) => track === best.track && file === best.name && best.text.includes(text))
  if (memory !== undefined) return { ...found, memory }
  const origin = originOf(best.text, best.name, lessons)
  return { ...found, memory: { track: best.track, file: best.name, text: best.text, ...(origin === undefined ? {} : { origin }) } }
}

async function resourceTexts(backend: MemoryBackend): Promise<string[]> {
  const { resources } = await backend.progressiveRetrieve('document plan report table notes', { limit: 3 })
  return resources.map(({ caption }) => caption)
}
