/**
 * How well the default configuration finds what was said, on LoCoMo and without any model call, beside BM25 alone and vectors alone:
 * one store a conversation, one file a session, one line a turn, the first ten answers.
 *
 * `npm run bench:recall -- PATH` (text) or `npm run --silent bench:recall -- PATH --json`. PATH is a file with LoCoMo's conversations.
 * Constants were searched on the first four conversations; `held` are the figures of the others alone. They were seen when one was
 * chosen among constants that did equally well, so they are a check and not a blind test.
 */
import { importSource } from './lib/bundle.mjs'
import { print, progress } from './lib/measure.mjs'
import { withPackage } from './lib/package.mjs'

const LANES = ['hybrid', 'text', 'vector']
const TUNED_ON = 4
const ANSWERS = 10

const path = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
if (path === undefined) {
  console.error('Usage: npm run bench:recall -- PATH [--json], with PATH a file of LoCoMo (data/locomo10.json of snap-research/LoCoMo).')
  process.exit(2)
}

const { readLocomo } = await importSource('bench/recall/locomo.ts')
const { measure } = await importSource('bench/recall/measure.ts')
const conversations = readLocomo(path)
const judged = await withPackage(async ({ library }) => {
  const answers = []
  for (const [place, conversation] of conversations.entries()) {
    progress(`conversation ${place + 1} of ${conversations.length}`)
    answers.push(await judge(conversation, library))
  }
  return answers
})

const figures = (part) => Object.fromEntries(LANES.map((lane) => [lane, measure(part.flatMap((answers) => answers[lane]))]))
const total = (what) => conversations.reduce((sum, { dropped }) => sum + dropped[what], 0)
const held = judged.slice(TUNED_ON)
const result = {
  lanes: figures(judged),
  questions: conversations.reduce((sum, { questions }) => sum + questions.length, 0),
  dropped: total('evidence'),
  questions_without_evidence: total('questions'),
  ...(held.length > 0 ? { held: { lanes: figures(held), questions: held.flatMap(({ hybrid }) => hybrid).length } } : {}),
}

print(result, [
  `${result.questions} questions; dropped: ${result.dropped} evidence ids that name no turn, ${result.questions_without_evidence} questions left without any`,
  ...table('all', result.lanes),
  ...(result.held ? table(`held: the last ${held.length} conversations alone`, result.held.lanes) : []),
])

/** Every question of a conversation in every lane, with what is right. */
async function judge({ sessions, questions }, { openLocal }) {
  const memory = await openLocal({ db: ':memory:' })
  try {
    const recall_files = sessions.map(({ name, turns }) => ({ name, content: turns.map(({ line }) => line).join('\n') }))
    await memory.commitResults({ recall_files })
    const turnsOf = new Map(sessions.map(({ name, turns }) => [name, idsByLine(turns)]))
    const answers = Object.fromEntries(LANES.map((lane) => [lane, []]))
    for (const question of questions) {
      for (const lanes of LANES) {
        const { segments, files } = await memory.progressiveRetrieve(question.text, { limit: ANSWERS, lanes })
        const turns = segments.map(({ name, text }) => turnsOf.get(name).get(text) ?? [])
        answers[lanes].push({ question, answer: { sessions: files.map(({ name }) => name), turns } })
      }
    }
    return answers
  } finally {
    await memory.close()
  }
}

/** The ids of the turns of each line: a line that is said twice in a session is stored once. */
function idsByLine(turns) {
  const ids = new Map()
  for (const { id, line } of turns) ids.set(line, [...(ids.get(line) ?? []), id])
  return ids
}

function table(title, lanes) {
  const columns = ['session r1', 'r5', 'r10', 'mrr', 'all5', 'turn r5', 'r10', 'mrr']
  const row = (name, cells) => name.padEnd(8) + cells.map((cell) => String(cell).padStart(11)).join('')
  const rows = Object.entries(lanes).map(([lane, { session, turn }]) => {
    return row(
      lane,
      [...Object.values(session), ...Object.values(turn)].map((value) => value.toFixed(3)),
    )
  })
  return ['', title, row('', columns), ...rows]
}
