/**
 * The transcripts of Cursor's agents: `<slug>/agent-transcripts/<session>/<session>.jsonl`, with those of subagents in `subagents` beside
 * it; in older versions `<session>.jsonl` or `<session>.txt` without a folder. They are written at the end of a turn.
 */
import type { Dirent } from 'node:fs'
import { basename, dirname } from 'node:path'
import type { System } from '../../util/system.ts'
import { child, entries, isDirectory, isLogFile, keepFile } from '../directory.ts'
import { readSession } from '../jsonl-session.ts'
import type { Report, SessionFacts, SessionRef, TranscriptSource } from '../transcript-source.ts'
import { readPlainTranscript } from './plain-transcript.ts'
import { chatFacts, projectOf } from './project.ts'
import { transcriptDialect } from './transcript-line.ts'

const TRANSCRIPTS = 'agent-transcripts'
const LINES = '.jsonl'
const PLAIN = '.txt'

/** `projects` is Cursor's folder of that name, one of the folders in it, or the transcripts of one. */
export function cursorTranscripts(projects: string, system: System): TranscriptSource {
  return {
    exists: () => isDirectory(projects),

    discover(report) {
      const found = new Map<string, SessionRef>()
      if (basename(projects) === TRANSCRIPTS) scanTranscripts(projects, report, found)
      else {
        for (const entry of entries(projects, report)) {
          if (!entry.isDirectory()) continue
          const path = child(projects, entry.name)
          if (entry.name === TRANSCRIPTS) scanTranscripts(path, report, found)
          else if (entries(path, report).some((inner) => inner.name === TRANSCRIPTS && inner.isDirectory())) {
            scanTranscripts(child(path, TRANSCRIPTS), report, found)
          }
        }
      }
      return [...found.values()]
    },

    read(session, since, emit, signal) {
      const transcript = {
        isSubagent: session.id !== session.owner,
        changed: session.modified,
        now: system.now().getTime(),
        facts: () => factsOf(session),
      }
      const read = { path: session.path, since, emit, signal }
      return session.path.endsWith(PLAIN) ? readPlainTranscript(transcript, read) : readSession(transcriptDialect(transcript), read)
    },
  }
}

function scanTranscripts(directory: string, report: Report, found: Map<string, SessionRef>): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (isTranscript(entry, path, report)) addTranscript(found, report, path, (id) => ({ id, owner: id }))
    else if (entry.isDirectory()) scanSession(path, entry.name, report, found)
  }
}

function scanSession(directory: string, session: string, report: Report, found: Map<string, SessionRef>): void {
  for (const entry of entries(directory, report)) {
    const path = child(directory, entry.name)
    if (isTranscript(entry, path, report)) {
      // A file of another name is kept, as a session of its own folder: nothing says that it is a copy.
      addTranscript(found, report, path, (id) => ({ id: id === session ? id : `${session}/${id}`, owner: session }))
    } else if (entry.isDirectory() && entry.name === 'subagents') {
      for (const inner of entries(path, report)) {
        const below = child(path, inner.name)
        if (isTranscript(inner, below, report)) addTranscript(found, report, below, (id) => ({ id: `${session}/${id}`, owner: session }))
      }
    }
  }
}

function isTranscript(entry: Dirent, path: string, report: Report): boolean {
  return [LINES, PLAIN].some((end) => entry.name.endsWith(end)) && isLogFile(entry, path, report)
}

/** One id at two places is a project that was moved: the transcript written last counts, and lines before plain text. */
function addTranscript(
  found: Map<string, SessionRef>,
  report: Report,
  path: string,
  identity: (name: string) => Pick<SessionRef, 'id' | 'owner'>,
): void {
  const extension = [LINES, PLAIN].find((end) => path.endsWith(end))
  if (extension !== undefined) keepFile(found, { ...identity(basename(path, extension)), path }, report, isBetter)
}

function isBetter(session: SessionRef, known: SessionRef): boolean {
  const isPlain = session.path.endsWith(PLAIN)
  return isPlain === known.path.endsWith(PLAIN) ? session.modified > known.modified : !isPlain
}

function factsOf({ path, owner }: SessionRef): SessionFacts {
  const transcripts = path.slice(0, path.lastIndexOf(TRANSCRIPTS))
  const folder = transcripts === '' ? dirname(path) : dirname(child(transcripts, 'x'))
  const chat = chatFacts(child(dirname(dirname(folder)), 'chats'), owner).facts
  const project = chat.project ?? projectOf(folder)
  return { ...chat, ...(project && { project }) }
}
