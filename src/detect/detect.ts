/**
 * `detect`: which agents there are on this machine, and what of memU works with each. Only looks: directory entries and the
 * beginnings of some files, within bounds.
 */
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { nameOf } from '../hosts/agent/name.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import { type OwnLog, ownLog } from '../hosts/own-log.ts'
import { hostSpecs } from '../hosts/registry.ts'
import { MemuError, reason } from '../util/errors.ts'
import type { System } from '../util/system.ts'
import { type Budget, budget } from './budget.ts'
import { candidates, isFolder, isLink } from './folders.ts'
import { findInstruction, instructionOf } from './instruction-files.ts'
import { foldersOf, KNOWN_AGENTS, type KnownAgent } from './known-agents.ts'
import { ownFolder, places, within } from './places.ts'
import { SESSIONS, type Sniffed, sniff } from './sniff.ts'
import { anyAgent, dedicated, type Verdict } from './verdict.ts'

export interface Survey {
  /** What was looked through. */
  readonly place: string
  readonly agents: readonly Verdict[]
  /** False where a bound ended it while there may have been more agents, or sessions of one without any. */
  readonly complete: boolean
}

/** Everything in the home: hosts with a program, then agents that are known, then whatever looks like one. */
export async function survey(system: System, begin: () => Budget = budget): Promise<Survey> {
  const hosts = await ownPrograms(system)
  const limits = begin() // Loading the hosts' sources is not what it bounds.
  const known = KNOWN_AGENTS.flatMap((agent) => {
    const folder = foldersOf(agent, system).find(isFolder)
    return folder === undefined ? [] : [knownAgent(agent, folder, system, limits)]
  })
  const agents = [...hosts.filter(({ isHere }) => isHere).map(({ verdict }) => verdict), ...known]
  const taken = [
    ...foldersOfHosts(
      hosts.map(({ verdict }) => verdict),
      system,
    ),
    ...knownFolders(system),
  ]
  for (const folder of candidates(places(system), limits)) {
    if (taken.some((one) => one === folder || within(folder, one) !== undefined)) continue
    const found = sniff(folder, limits)
    if (found.sessionDir === undefined && findInstruction(folder) === undefined) continue
    const names = new Set([...hostSpecs.map(({ host }) => host), ...agents.map(({ name }) => name)])
    agents.push(await unknownAgent(folder, found, names, system))
  }
  return { place: system.home, agents, complete: limits.complete }
}

/** Where the hosts that have a program keep their sessions, and where they load instructions from: some have two folders. */
function foldersOfHosts(verdicts: readonly Verdict[], system: System): string[] {
  return verdicts.flatMap(({ name, folder }) => {
    const instruction = instructionOf(name, system)
    return instruction ? [folder, ownFolder(instruction, places(system))] : [folder]
  })
}

/** A folder in which a known agent's lies is no stranger's; one in which it only could may be. */
function knownFolders(system: System): string[] {
  return KNOWN_AGENTS.flatMap((agent) => foldersOf(agent, system)).filter(isFolder)
}

/** One agent's folder, whatever lies in it. Errors: `no_folder` (exit 2). */
export async function probe(directory: string, system: System, begin: () => Budget = budget): Promise<Survey> {
  const folder = realFolder(directory)
  const programs = await ownPrograms(system)
  const limits = begin()
  const contains = (other: string): boolean =>
    other === folder || within(folder, other) !== undefined || within(other, folder) !== undefined
  const own = programs.filter(({ isHere, verdict }) => isHere && contains(verdict.folder)).map(({ verdict }) => verdict)
  const known = KNOWN_AGENTS.filter((agent) => foldersOf(agent, system).some((one) => one === folder)).map((agent) =>
    knownAgent(agent, folder, system, limits),
  )
  const agents = [...own, ...known]
  if (agents.length === 0) {
    const names = new Set(hostSpecs.map(({ host }) => host))
    agents.push(await unknownAgent(folder, sniff(folder, limits, true), names, system))
  }
  return { place: folder, agents, complete: limits.complete }
}

/** The host whose own program reads the sessions in the folder, and where they begin; undefined where `memu-agent` is the one to read them. */
export async function readerOf(
  directory: string,
  system: System,
): Promise<{ readonly of: HostSpec; readonly sessionDir: string } | undefined> {
  if (!isFolder(directory)) return undefined
  const { of, sessionDir } = sniff(directory, budget(), true)
  if (of === undefined) return undefined
  for (const place of [directory, sessionDir]) if (place !== undefined && (await finds(of, place, system))) return { of, sessionDir: place }
  return undefined
}

/** A link that a person names is followed: it is the links that lie about that are not. */
function realFolder(directory: string): string {
  try {
    const folder = fs.realpathSync(directory)
    if (isFolder(folder)) return folder
    throw new MemuError('no_folder', `${directory} is a file.`, { hint: 'Give the folder of an agent, such as ~/.codex.', exit: 2 })
  } catch (error) {
    if (error instanceof MemuError) throw error
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    throw new MemuError('no_folder', isMissing ? `There is no folder ${directory}.` : `Cannot look into ${directory}: ${reason(error)}.`, {
      hint: 'Give the folder of an agent, such as ~/.codex, or none for all of them.',
      exit: 2,
      cause: error,
    })
  }
}

/** The hosts that have a program; `isHere` where a log or at least the host's folder is on this machine. */
async function ownPrograms(system: System): Promise<readonly { readonly verdict: Verdict; readonly isHere: boolean }[]> {
  const found = await Promise.all(
    hostSpecs.map(async (spec) => {
      const log = await ownLog(spec, system)
      if (log === undefined) return []
      const folder = ownFolder(log.directory, places(system))
      const hasLog = exists(log)
      return [{ verdict: dedicated(spec, folder, log.directory, hasLog, system), isHere: hasLog || isFolder(folder) }]
    }),
  )
  return found.flat()
}

function exists({ source }: OwnLog): boolean {
  try {
    return source.exists()
  } catch {
    return true // There is something that cannot be looked at: the host's own doctor says what.
  }
}

function knownAgent(agent: KnownAgent, folder: string, system: System, limits: Budget): Verdict {
  const reader = hostSpecs.find(({ host }) => host === agent.readBy)
  return anyAgent(agent, folder, look(folder, agent.sessions, limits), reader, system)
}

/** What lies where a known agent keeps its sessions; where there is no such folder, in all of its own. */
function look(folder: string, sessions: readonly string[] | undefined, limits: Budget): Sniffed {
  if (isLink(folder)) return { strange: 0 }
  const below = (sessions ?? []).map((name) => join(folder, name)).filter((path) => isFolder(path) && !isLink(path))
  for (const place of below) {
    const found = sniff(place, limits)
    if (found.sessionDir !== undefined) return { ...found, sessionDir: place }
  }
  return sniff(below[0] ?? folder, limits)
}

/** `names` are taken: each agent has a working tree of its own, which is called as it is. */
async function unknownAgent(folder: string, found: Sniffed, names: ReadonlySet<string>, system: System): Promise<Verdict> {
  const title = nameOf(agentFolder(folder, system.home))
  let name = title
  for (let number = 2; names.has(name); number++) name = `${title}-${number}`
  const { of, ...rest } = found
  const isRead = of !== undefined && (await finds(of, found.sessionDir, system))
  return anyAgent({ name, title }, folder, isRead ? found : rest, undefined, system)
}

/** `~/.otter` of `~/.otter/sessions`: a tree that is called `sessions` would be any agent's. */
function agentFolder(folder: string, home: string): string {
  const parent = dirname(folder)
  return SESSIONS.test(basename(folder)) && parent !== home && basename(parent) !== '' ? agentFolder(parent, home) : folder
}

/** Whether the host's own program, whose records these are, would find them there: some know a session by its file's name. */
export async function finds(spec: HostSpec, sessionDir: string | undefined, system: System): Promise<boolean> {
  if (sessionDir === undefined) return false
  try {
    const source = await spec.source(sessionDir, system)
    return source.exists() && source.discover(() => {}).length > 0
  } catch {
    return false // Then memu-agent reads them, by their shape.
  }
}
