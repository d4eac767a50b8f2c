/** The questions of the demo: five for its own sessions, and five made from what was learned where the sessions are somebody's own. */
import { projectName } from '../bridging/executors/builtin/remember.ts'
import { stem } from '../text/stem.ts'
import { isStopWord } from '../text/stop-words.ts'
import type { Memory } from './memories.ts'

export interface Question {
  readonly text: string
  /** What it shows, in a few words. */
  readonly shows: string
}

export const SHOP_QUESTIONS: readonly Question[] = [
  { text: 'Which package manager do I use to install the dependencies?', shows: 'the preference has changed' },
  { text: 'Where can I open the staging version in a browser?', shows: 'told to Codex, asked from Claude Code' },
  { text: 'ERR_LEDGER_17', shows: 'an identifier that no model knows' },
  { text: 'How long should my replies be?', shows: 'a paraphrase' },
  { text: 'Unit tests cannot connect to the database', shows: 'a skill: what failed, and what made it work' },
]

const MOST = 5
const WORDS = 5

/** One question a memory, by its own words without its values; those that replaced something and skills come first. */
export function questionsFrom(memories: readonly Memory[]): Question[] {
  const changed = memories.filter(({ before }) => before !== undefined)
  const skills = memories.filter(({ track }) => track === 'skill')
  const files = [...new Set(memories.map(({ file }) => file))]
  // One after the other from each file, so that the questions are of different kinds.
  const spread = files.flatMap((file) => memories.filter((memory) => memory.file === file).slice(0, 2))
  const questions = new Map<string, Question>()
  for (const memory of [...changed.slice(0, 2), ...skills.slice(0, 1), ...spread, ...memories]) {
    if (questions.size === MOST) break
    const text = questionOf(memory)
    if (text !== undefined && !questions.has(text)) questions.set(text, { text, shows: showing(memory) })
  }
  return [...questions.values()]
}

/** What somebody would type who has forgotten the answer; of a memory that has changed, the words of how it was before. */
function questionOf({ track, file, text, before, origin }: Memory): string | undefined {
  const ofProject = /-(?:facts|decisions)$/.test(file) ? projectName(origin?.project) : undefined
  if (track === 'skill') return /fails with "(.*?)":/.exec(text)?.[1]
  const plain = (before ?? text).replace(/ \((?:\d{4}-\d{2}-\d{2}|undated).*\)$/, '').replace(/^[\w.-]+: (?=[A-Z])/, '')
  const words = (plain.match(/[\p{L}\p{N}][\p{L}\p{N}._/@:'’-]*/gu) ?? []).map((word) => word.replace(/[.:/-]+$/, ''))
  const meaning = words.filter(
    (word) => !isStopWord(word.toLowerCase()) && !FRAME.has(stem(word.toLowerCase())) && !/^let['’]s$/i.test(word),
  )
  const topic = meaning.filter((word) => !/[\d/@:]|\w-\w|.\p{Lu}/u.test(word))
  const chosen = (topic.length >= 2 ? topic : meaning).slice(0, WORDS)
  if (chosen.length === 0) return undefined
  // Two projects may have the same kind of fact.
  return [...chosen, ...(ofProject === undefined || chosen.includes(ofProject) ? [] : [ofProject])].join(' ')
}

/** Words that say that something was said. */
const FRAME = new Set('user prefer use always never please let decided going now instead'.split(' ').map(stem))

function showing({ track, before, file }: Memory): string {
  if (track === 'skill') return 'a skill'
  return before === undefined ? file : `${file}: it has changed`
}
