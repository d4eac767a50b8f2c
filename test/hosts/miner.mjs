/**
 * A model that does what the bridging prompt and the job files ask: it knows nothing of the conversations, and finds every path,
 * command and line in what it has read.
 */
import { basename } from 'node:path'
import { atDesk, ScriptError } from './desk.mjs'

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
      yield* desk.shell(find(/^.*\brun: (\S+ job-done \d+)\s*$/m, job, `job ${number} says how it is marked as done`))
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

/** Keeps every sentence of the user that states something, one a line, in a file of the project. */
function* memoryJob(desk, job) {
  const { header, messages } = slice(yield* desk.read(find(/(\S+\.jsonl)/, job, 'the job names a session')))
  const said = messages.filter((message) => message.role === 'user').flatMap((message) => message.text.split(/(?<=[.!?])\s+/))
  const facts = said.filter((sentence) => sentence.split(' ').length > 5 && !sentence.endsWith('?') && !sentence.startsWith('Please'))
  if (facts.length === 0) return
  const folder = find(/Memory folder:\s+(\S+)/, job, 'the job names the memory folder')
  yield* keep(desk, folder, header.project, header.project, facts)
}

/** Keeps a command that worked after one that had failed, under the message of the failure; logs documents that were written. */
function* skillJob(desk, job) {
  const { header, messages } = slice(yield* desk.read(find(/(\S+\.jsonl)/, job, 'the job names a session')))
  const tools = messages.filter((message) => message.role === 'tool')
  const log = find(/(\S+\.resource\.tmp)/, job, 'the job names the path log')
  for (const document of new Set(tools.flatMap((tool) => (tool.part === 'result' ? absolutePaths(tool.text) : [])))) {
    yield* desk.append(log, document)
  }
  const failure = tools.findIndex((tool) => tool.part === 'result' && /^error \S+: /m.test(tool.text))
  const repair = failure === -1 ? undefined : tools.slice(failure).find((tool) => tool.part === 'call')
  if (repair === undefined) return
  const folder = find(/Skill folder:\s+(\S+)/, job, 'the job names the skill folder')
  const [message] = /^error \S+: .*$/m.exec(tools[failure].text)
  yield* keep(desk, folder, header.project, message, [command(repair.text)])
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

/** Adds what the project's file does not say yet; a file that is there is read first. */
function* keep(desk, folder, project, description, facts) {
  const name = basename(project)
  const path = `${folder}/${name}.md`
  const there = (yield* desk.shell(`ls '${folder}'`)).split('\n').includes(`${name}.md`)
  const old = there ? (yield* desk.read(path)).trimEnd().split('\n') : ['---', `name: ${name}`, `description: ${description}`, '---', '']
  const added = facts.map((fact) => `- ${fact}`).filter((line) => !old.includes(line))
  if (added.length > 0) yield* desk.write(path, [...old, ...added])
}

/** A slice: a header with what is known of the session, then messages and tool records. Numbered lines are the program's doing. */
function slice(text) {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line))
  const header = lines.find((line) => line.role === undefined)
  if (typeof header?.project !== 'string')
    throw new ScriptError(`the slice does not say which project it belongs to: ${text.slice(0, 300)}`)
  return { header, messages: lines.filter((line) => line.role !== undefined) }
}

function absolutePaths(text) {
  return [...text.matchAll(/^(\/\S+\.md)$/gm)].map((match) => match[1])
}

/** The command of a recorded call: the text itself, or the one in its JSON. */
function command(text) {
  try {
    const input = JSON.parse(text)
    return input.command ?? input.cmd
  } catch {
    return text.replace(/^\$ /, '')
  }
}

function find(pattern, text, what) {
  const match = pattern.exec(text)
  if (match === null) throw new ScriptError(`expected that ${what}, in: ${text.slice(0, 500)}`)
  return match[1]
}
