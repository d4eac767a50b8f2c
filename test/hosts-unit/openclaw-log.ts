import * as fs from 'node:fs'
import { join } from 'node:path'
import { openclaw } from '../../src/hosts/openclaw/spec.ts'
import { realSystem } from '../../src/util/system.ts'
import type { HostLogFixture, LogEvent } from '../contract/host-log.ts'
import { fromLines } from '../contract/host-log-lines.ts'
import type { SourceFixture } from '../contract/transcript-source.ts'
import { agentDatabase, type Schema } from './openclaw-database.ts'
import { entryLines } from './pi-lines.ts'

const system = { ...realSystem(), now: () => new Date('2026-10-01T00:00:00Z') }
const refId = (session: string): string => `main/${session}`

/** The files of before the databases, as an older OpenClaw writes them. */
export const openclawLines: SourceFixture = {
  ...entryLines,
  name: 'OpenClaw, files',
  id: (number) => refId(entryLines.id(number)),
  open: (directory) => openclaw.source(directory, system),
  path: (directory, session) => join(directory, 'main', 'sessions', `${session.slice('main/'.length)}.jsonl`),
}

export const openclawFiles = fromLines(openclaw, openclawLines, { sharesParser: true })

function openDatabase(root: string, schema: Schema) {
  const sessionDir = join(root, 'agents')
  fs.mkdirSync(sessionDir)
  const database = agentDatabase(sessionDir, schema)
  const known = new Set<string>()
  const line = (session: string, { kind, number, text }: LogEvent): string => entryLines[kind](session, number, text)

  function* events(session: string, added: readonly LogEvent[], isNew: boolean): Generator<string> {
    if (isNew) yield* entryLines.opening(session)
    for (const event of added) yield line(session, event)
  }

  return {
    sessionDir,
    database: database.path,
    append(session: string, added: readonly LogEvent[]) {
      database.append(session, events(session, added, !known.has(session)))
      known.add(session)
    },
    rewrite: (session: string, kept: readonly LogEvent[]) => database.rewrite(session, events(session, kept, true)),
    appendBroken: (session: string) => database.append(session, ['{"broken']),
    close: database.close,
  }
}

export function openclawLog(schema: Schema = 23): HostLogFixture {
  return {
    spec: openclaw,
    name: `OpenClaw, schema ${schema}`,
    id: entryLines.id,
    refId,
    open: (root) => openDatabase(root, schema),
    databases: 'one',
    ...(schema === 14 && { sharesParser: true }),
  }
}

/** The first and the last schema that are found on users' machines. */
export const [openclawPlain, openclawPacked] = [openclawLog(14), openclawLog(23)]
