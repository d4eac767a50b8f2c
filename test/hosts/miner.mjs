/**
 * A model that does what the bridging prompt and the job files ask: it knows nothing of the conversations, and finds every path,
 * command and line in what it has read.
 */
import { atDesk, ScriptError } from './desk.mjs'
import { documents, memoryNote, readSlice, skillNote, withNote } from './notes.mjs'

/**
 * The script of a model that carries out a bridging prompt.
 * @param {object} agent
 * @param {{ after?: number, stop?: () => void }} [early] stops when `after` jobs are done: by `stop` (the run is killed there), or
 *   else by going on to `commit` as if there were no other jobs
 */
export function miner(agent, early = {}) {
  return atDesk(agent, function* (desk) {
    const binary = find(/run `(\S+) job-done/, desk.prompt, 'the prompt names memU')
    const jobs = find(/(\S+)[/\\]1\.txt/, desk.prompt, 'the prompt names the folder of the jobs')
    // With `bridge` around it, the prompt tells the agent to leave both to `bridge`.
    const alone = desk.prompt.includes(`Run \`${binary} prepare\``)
    if (alone) yield* desk.shell(`${binary} prepare`)
    const numbers = jobNumbers(yield* desk.shell(`ls '${jobs}'`))
    for (const number of numbers.slice(0, early.after)) {
      const job = yield* desk.read(`${jobs}/${number}.txt`)
      yield* jobKind(job)(desk, job)
      yield* desk.shell(find(/^.*\brun: (\S+ job-done \d+.*?)\s*$/m, job, `job ${number} says how it is marked as done`))
    }
    if (early.stop !== undefined) {
      early.stop()
      return 'Stopped.'
    }
    if (alone) yield* desk.shell(`${binary} commit`)
    return `Read ${numbers.length} jobs.`
  })
}

function jobNumbers(listing) {
  return [...listing.matchAll(/^(\d+)\.txt$/gm)].map((match) => Number(match[1])).sort((a, b) => a - b)
}

function jobKind(job) {
  if (job.includes('.resource.tmp')) return skillJob
  return job.includes('verify-resources') ? resourceJob : memoryJob
}

/** Keeps what the user stated, in a file of the project. */
function* memoryJob(desk, job) {
  const session = readSlice(yield* desk.read(find(/(\S+\.jsonl)/, job, 'the job names a session')))
  yield* keep(desk, find(/Memory folder:\s+(\S+)/, job, 'the job names the memory folder'), memoryNote(session))
}

/** Keeps a repair, in a file of the project, and logs documents that were written. */
function* skillJob(desk, job) {
  const session = readSlice(yield* desk.read(find(/(\S+\.jsonl)/, job, 'the job names a session')))
  const log = find(/(\S+\.resource\.tmp)/, job, 'the job names the path log')
  for (const document of documents(session)) yield* desk.append(log, document)
  yield* keep(desk, find(/Skill folder:\s+(\S+)/, job, 'the job names the skill folder'), skillNote(session))
}

/** Describes each collected document by its own first heading. */
function* resourceJob(desk, job) {
  yield* desk.shell(
    find(/^\s*(\S+.* verify-resources.*|\S+ verify-resources)\s*$/m, job, 'the job names the command that checks the paths'),
  )
  const list = find(/Open (\S+resources\.md)/, job, 'the job names the list of resources')
  const lines = []
  for (const line of (yield* desk.read(list)).trimEnd().split('\n')) {
    if (!line.startsWith('description:')) {
      lines.push(line)
      continue
    }
    const path = lines.findLast((earlier) => earlier.startsWith('path: '))?.slice('path: '.length)
    const heading = /^# (.+)$/m.exec(yield* desk.read(path))
    lines.push(`description: ${heading?.[1] ?? 'null'}`)
  }
  if (lines.some((line) => line.startsWith('path: '))) yield* desk.write(list, lines)
}

/** Adds what the note's file does not say yet; a file that is there is read first. */
function* keep(desk, folder, note) {
  if (note === undefined) return
  const path = `${folder}/${note.name}.md`
  const there = (yield* desk.shell(`ls '${folder}'`)).split('\n').includes(`${note.name}.md`)
  const lines = withNote(there ? yield* desk.read(path) : undefined, note)
  if (lines !== undefined) yield* desk.write(path, lines)
}

function find(pattern, text, what) {
  const match = pattern.exec(text)
  if (match === null) throw new ScriptError(`expected that ${what}, in: ${text.slice(0, 500)}`)
  return match[1]
}
