/** A model behind a chat endpoint: a job and a session in, whole memory files out. It has no tools and copies from what it was given. */
import { mustBeCopied } from './desk.mjs'
import { memoryNote, readSlice, skillNote, withNote } from './notes.mjs'

/** The script; it keeps no state, each request holds all it needs. */
export function endpointMiner(turn) {
  const given = turn.events.map((event) => event.text).join('\n')
  const session = /<session>\n([\s\S]*?)<\/session>/.exec(given)?.[1] ?? ''
  const track = /"path": "(memory|skill)\//.exec(given)?.[1]
  const note = track === 'skill' ? skillNote(readSlice(session)) : memoryNote(readSlice(session))
  if (note === undefined) return { say: '{"files": []}' }
  const path = `${track}/${note.name}.md`
  const old = given.split(`<file path="${path}">\n`)[1]?.split('</file>')[0]
  const lines = withNote(old, note) ?? []
  for (const line of lines) mustBeCopied(line, [given])
  return { say: JSON.stringify({ files: lines.length === 0 ? [] : [{ path, content: `${lines.join('\n')}\n` }] }) }
}
