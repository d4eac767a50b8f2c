/** What a survey says of one agent: whether memorization works, whether retrieval does, why, and what to do next. */
import { dirname, extname, join } from 'node:path'
import type { HostSpec } from '../hosts/host-spec.ts'
import { plural } from '../util/plural.ts'
import type { System } from '../util/system.ts'
import { isLink } from './folders.ts'
import { findInstruction, instructionOf, isThere } from './instruction-files.ts'
import type { KnownAgent } from './known-agents.ts'
import { argument, places, shown } from './places.ts'
import type { Sniffed } from './sniff.ts'

export interface Verdict {
  /** `goose`: names the working tree of an agent that has no program of its own. */
  readonly name: string
  readonly title: string
  readonly folder: string
  /** The program that reads it. */
  readonly program: string
  /** Learning from its sessions. */
  readonly memorization: Seam
  /** Telling the agent to recall. */
  readonly retrieval: Seam
  /** Commands to copy, in order. */
  readonly next: readonly string[]
}

export interface Seam {
  readonly works: boolean
  /** One sentence without its full stop, the path in it included. */
  readonly why: string
  /** The sessions, or the instruction file. */
  readonly path?: string
}

/** The program for agents that have none of their own. */
const ANY = 'memu-agent'
const RETRIEVE = 'retrieve "how do we deploy"'

/** An agent that has a program. `hasLog`: its source found one. */
export function dedicated(spec: HostSpec, folder: string, sessions: string, hasLog: boolean, system: System): Verdict {
  const memorization = hasLog
    ? { works: true, why: `sessions in ${shown(sessions, system.home)}`, path: sessions }
    : { works: false, why: `no sessions yet in ${shown(sessions, system.home)}: use ${spec.title} once` }
  return {
    name: spec.host,
    title: spec.title,
    folder,
    program: spec.binary,
    memorization,
    retrieval: retrieval(instructionOf(spec.host, system), folder, system),
    next: [`${spec.binary} ${hasLog ? 'bridge' : 'doctor'}`],
  }
}

/** An agent that has none, known or not, by what its folder holds. `reader`: the host whose program reads a known one. */
export function anyAgent(
  agent: Pick<KnownAgent, 'name' | 'title'> & Partial<KnownAgent>,
  folder: string,
  sniffed: Sniffed,
  reader: HostSpec | undefined,
  system: System,
): Verdict {
  const program = reader?.binary ?? sniffed.of?.binary ?? ANY
  const memorization = readable(agent, folder, sniffed, system)
  const files = agent.instructions?.(places(system), folder) ?? []
  const known = files.find(isThere) ?? files[0]
  const recall = retrieval(known, folder, system)
  const { strange, database, binary } = sniffed
  const nothing = !recall.works && agent.unreadable === undefined && strange === 0 && (database ?? binary) === undefined
  return {
    name: agent.name,
    title: agent.title,
    folder,
    program,
    memorization,
    retrieval: recall,
    next: memorization.works
      ? [learn(agent.name, program, memorization.path, reader, system)]
      : instead(agent, program, folder, nothing, system),
  }
}

function learn(name: string, program: string, sessions: string | undefined, reader: HostSpec | undefined, system: System): string {
  // A host's own program looks there by itself.
  if (reader !== undefined || sessions === undefined) return `${program} bridge`
  const tree = join(system.home, '.memu', 'hosts', name)
  return `${program} bridge --session-dir ${argument(sessions, system)} --base-dir ${argument(tree, system)}`
}

/** What can still be done where nothing can be learned from its log; `nothing`: there is no log, and no file that it loads. */
function instead(agent: Partial<KnownAgent>, program: string, folder: string, nothing: boolean, system: System): string[] {
  if (agent.exports !== undefined) return [agent.exports, `${ANY} detect <the folder of the exports>`]
  if (isLink(folder)) return [`${ANY} detect ${argument(folder, system)}`]
  return [nothing ? `${ANY} detect <the folder of its sessions>` : `${program} ${RETRIEVE}`]
}

function readable(agent: Partial<KnownAgent>, folder: string, sniffed: Sniffed, { home }: System): Seam {
  const no = (why: string): Seam => ({ works: false, why })
  const { sessionDir, of, database, binary, strange } = sniffed
  if (sessionDir !== undefined) {
    const whose = of === undefined ? '' : `, as ${of.title} writes them`
    return { works: true, why: `sessions in ${shown(sessionDir, home)}${whose}`, path: sessionDir }
  }
  if (agent.unreadable !== undefined) return no(agent.unreadable)
  if (database !== undefined) return no(`its log seems to be a database (${shown(database, home)}), which needs a reader of its own`)
  if (binary !== undefined) return no(`its log seems to be binary (*${extname(binary)} in ${shown(dirname(binary), home)})`)
  if (strange > 0) return no(`${plural(strange, 'log file')} looked at, none with records of a known shape`)
  return no(isLink(folder) ? 'the folder is a link, which a survey does not follow' : 'no session log was found')
}

function retrieval(file: string | null | undefined, folder: string, { home }: System): Seam {
  if (file === null) return { works: true, why: 'instruction in the AGENTS.md of each project' }
  const found = file ?? findInstruction(folder)
  if (found === undefined) return { works: false, why: 'no file is known that it loads in every session' }
  const what = isThere(found) ? `instruction in ${shown(found, home)}` : `instruction in ${shown(found, home)}, which would be made`
  return { works: true, why: what, path: found }
}
