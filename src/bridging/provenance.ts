/** Where each memory file came from: of a version what is known of its making, of the file what its versions had. */
import type { FileKey, Provenance } from '../records.ts'
import type { Learned } from './executor.ts'
import type { PendingRun } from './pending.ts'
import { keyOf } from './snapshot.ts'

/** The newest sources of a file; older ones say little about the lines that are left of them. */
const MOST = 20

export interface RunFacts {
  readonly host: string
  readonly run: PendingRun | undefined
  readonly done: ReadonlySet<number>
  /** From an executor that can tell which session each line came from. */
  readonly learned?: readonly Learned[]
  /** Everything goes into another store than the one that the mirror was written from, whoever wrote it. */
  readonly isOther?: boolean
}

/**
 * Where the new version of a file came from. An executor that can tell is believed; what it says nothing of may be lines that it took
 * away, or a hand. An agent cannot tell: then it is the sessions of which a job is marked. Without a run it was a hand.
 */
export function provenanceOf({ host, run, done, learned, isOther = false }: RunFacts): (file: FileKey) => Provenance {
  if (learned === undefined) {
    const whole = run !== undefined ? ofRun(host, run, done) : isOther ? provenance([host], {}) : BY_HAND
    return () => whole
  }
  const linesOf = new Map<string, Learned[]>()
  for (const line of learned) {
    const key = keyOf({ track: line.track, name: line.file })
    const lines = linesOf.get(key)
    if (lines === undefined) linesOf.set(key, [line])
    else lines.push(line)
  }
  return (file) => {
    const lines = linesOf.get(keyOf(file)) ?? []
    return provenance([host], {
      sessions: lines.map(({ session }) => session),
      projects: lines.map(({ project }) => project),
      times: lines.map(({ at }) => at),
    })
  }
}

const BY_HAND: Provenance = { by_hand: true }

/** A file's sources over its versions, the newest last. A hand adds none. */
export function joinProvenance(before: Provenance | undefined, now: Provenance): Provenance {
  if (before === undefined) return now
  if (now.by_hand) return { ...before, ...now }
  return provenance(latest(hostsOf(before), hostsOf(now)), {
    sessions: latest(before.sessions, now.sessions),
    projects: latest(before.projects, now.projects),
    times: [before.from, before.to, now.from, now.to],
  })
}

/** What older versions stored names one host alone: who wrote last. */
function hostsOf({ host, hosts }: Provenance): readonly string[] {
  return hosts ?? (host === undefined ? [] : [host])
}

/** Where no job is marked, it is all of its sessions if an agent works by a prompt older than the marks; else nobody can tell. */
function ofRun(host: string, run: PendingRun, done: ReadonlySet<number>): Provenance {
  const withJobs = run.sessions.filter((session) => session.jobs.length > 0)
  const marked = withJobs.filter((session) => session.jobs.some((job) => done.has(job)))
  const mayBeUnmarked = done.size === 0 && run.prepared_by === undefined
  const mined = marked.length === 0 && mayBeUnmarked ? withJobs : marked
  return provenance([host], {
    sessions: mined.map(({ owner }) => owner),
    projects: mined.map(({ project }) => project),
    times: mined.flatMap(({ from, to }) => [from, to]),
  })
}

interface Sources {
  readonly sessions?: readonly (string | undefined)[]
  readonly projects?: readonly (string | undefined)[]
  /** ISO times. */
  readonly times?: readonly (string | undefined)[]
}

/** `hosts`: the one that wrote the version is the last. */
function provenance(hosts: readonly string[], sources: Sources): Provenance {
  const sessions = known(sources.sessions).slice(-MOST)
  const projects = known(sources.projects).slice(-MOST)
  const times = known(sources.times).sort()
  const [from] = times
  const to = times.at(-1)
  const host = hosts.at(-1)
  return {
    ...(host === undefined ? {} : { host, hosts }),
    ...(sessions.length === 0 ? {} : { sessions }),
    ...(projects.length === 0 ? {} : { projects }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
  }
}

/** What comes again counts as new. */
function latest(before: readonly string[] = [], now: readonly string[] = []): string[] {
  return [...before.filter((value) => !now.includes(value)), ...now]
}

function known(values: readonly (string | undefined)[] = []): string[] {
  return [...new Set(values.filter((value) => value !== undefined))]
}
