/** What the scripted workers make of a session: rules that know nothing of the conversations. */
import { basename } from 'node:path'
import { ScriptError } from './desk.mjs'

/** A slice: a header with what is known of the session, then messages and tool records. Lines around it are passed over. */
export function readSlice(text) {
  const lines = text
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line))
  const header = lines.find((line) => line.role === undefined)
  if (typeof header?.project !== 'string')
    throw new ScriptError(`the slice does not say which project it belongs to: ${text.slice(0, 300)}`)
  return { project: header.project, records: lines.filter((line) => line.role !== undefined) }
}

/** Every sentence in which the user states something. */
export function memoryNote({ project, records }) {
  const said = records.filter((record) => record.role === 'user').flatMap((record) => record.text.split(/(?<=[.!?])\s+/))
  const facts = said.filter((sentence) => sentence.split(' ').length > 5 && !sentence.endsWith('?') && !sentence.startsWith('Please'))
  return facts.length === 0 ? undefined : { name: basename(project), description: project, facts }
}

/** Some programs write what it is before a command's output. */
const FAILURE = /^(?:Output: )?(error \S+: .*)$/m

/** The command that was run after one had failed, under the message of the failure. */
export function skillNote({ project, records }) {
  const tools = records.filter((record) => record.role === 'tool')
  const failure = tools.findIndex((tool) => tool.part === 'result' && FAILURE.test(tool.text))
  const repair = failure === -1 ? undefined : tools.slice(failure).find((tool) => tool.part === 'call')
  if (repair === undefined) return undefined
  const [, message] = FAILURE.exec(tools[failure].text)
  return { name: basename(project), description: message, facts: [repair.text] }
}

/** The absolute paths of documents that tools have named, each on a line of its own. */
export function documents({ records }) {
  const results = records.filter((record) => record.part === 'result')
  return [...new Set(results.flatMap((result) => [...result.text.matchAll(/^(\/\S+\.md)$/gm)].map((match) => match[1])))]
}

/** The lines of a memory file, `old` or new, with the note's facts in it; undefined where it says them already. */
export function withNote(old, { name, description, facts }) {
  const lines = old?.trimEnd().split('\n') ?? ['---', `name: ${name}`, `description: ${description}`, '---', '']
  const added = facts.map((fact) => `- ${fact}`).filter((line) => !lines.includes(line))
  return added.length === 0 ? undefined : [...lines, ...added]
}
