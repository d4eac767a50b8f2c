/** The questions of the demo: five for its own sessions, and up to five made from what was learned where the sessions are somebody's own. */
import { type Asked, askAbout } from './ask-about.ts'
import type { Memory } from './memories.ts'

export interface Question {
  readonly text: string
  /** What it shows, in a few words. */
  readonly shows: string
  /** The memory that the question is made of. */
  readonly of?: Memory
}

export const SHOP_QUESTIONS: readonly Question[] = [
  { text: 'Which package manager do I use to install the dependencies?', shows: 'the preference has changed' },
  { text: 'Where can I open the staging version in a browser?', shows: 'told to Codex, asked from Claude Code' },
  { text: 'ERR_LEDGER_17', shows: 'an identifier that no model knows' },
  { text: 'How long should my replies be?', shows: 'a paraphrase' },
  { text: 'Unit tests cannot connect to the database', shows: 'a skill: what failed, and what made it work' },
]

const MOST = 5
/** In the order in which they are taken, one of each before a second one of any. */
const KINDS: readonly Asked[] = ['preference', 'fact', 'decision', 'skill', 'identifier', 'person']
const SHOWS: Readonly<Record<Asked, string>> = {
  preference: 'a preference',
  fact: 'a fact',
  decision: 'a decision',
  skill: 'an error, as one pastes it',
  identifier: 'an identifier',
  person: 'about the user',
}

/** One of each kind, then the next; what has changed goes before what has not, and the newer before the older. */
export function questionsFrom(memories: readonly Memory[]): Question[] {
  const asked = [...memories].sort(byInterest).flatMap((memory) => {
    const about = askAbout(memory.track, memory.file, memory.statement)
    return about === undefined ? [] : [{ ...about, of: memory }]
  })
  const rounds = KINDS.flatMap((kind) =>
    asked.filter((question) => question.kind === kind).map((question, round) => ({ ...question, round })),
  )
  rounds.sort((a, b) => a.round - b.round || KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind))
  const questions = new Map<string, Question>()
  for (const { text, kind, of } of rounds) {
    if (questions.size === MOST) break
    if (!questions.has(text))
      questions.set(text, { text, of, shows: `${SHOWS[kind]}${of.before === undefined ? '' : ' that has changed'}` })
  }
  return [...questions.values()]
}

function byInterest(a: Memory, b: Memory): number {
  const changed = Number(b.before !== undefined) - Number(a.before !== undefined)
  return changed || (b.origin?.at ?? '').localeCompare(a.origin?.at ?? '')
}
