/** Whose a session is: of a subagent the session that spawned it, of a run of a scheduled job that job. */
import { isSubagentKey } from './windows.ts'

export interface Relative {
  /** `<agent>/<session>` */
  readonly id: string
  readonly agent: string
  readonly session: string
  readonly key: string
  readonly created: number
  readonly spawnedBy?: string
}

/** How many subagents deep an owner is looked for: one that begins again at itself ends. */
const DEPTH = 16
/** Of a run in a session of its own, written before the run begins. Which agent runs a job may change, so it counts for nothing. */
const JOB_RUN = /^agent:([^:]+):cron:([^:]+):run:([^:]+)$/i

/** Gives the session that a session belongs to in the end: itself, or for a subagent's the one that spawned it or its spawner. */
export function owners(all: readonly Relative[]): (of: Relative) => string {
  const byKey = new Map<string, Relative[]>()
  for (const relative of all) {
    const same = byKey.get(relative.key)
    if (same === undefined) byKey.set(relative.key, [relative])
    else same.push(relative)
  }

  /** Sessions that follow each other share a key: the spawner is the one that was held then. */
  function spawner(of: Relative, key: string): Relative | undefined {
    const candidates = (byKey.get(key) ?? []).filter(({ id }) => id !== of.id).sort((a, b) => a.created - b.created)
    return candidates.findLast(({ created }) => created <= of.created) ?? candidates[0]
  }

  return (session) => {
    let owner = session
    for (let depth = 0; depth < DEPTH; depth++) {
      const key = owner.spawnedBy
      if (key === undefined && !isSubagentKey(owner.key)) return owner.id
      const next = key === undefined ? undefined : spawner(owner, key)
      if (next === undefined) return goneSpawner(owner, key ?? owner.key)
      owner = next
    }
    return owner.id
  }
}

/** A spawner whose session is gone still is one: nobody's words are in the subagent's. The key of a job's run names its session. */
function goneSpawner({ agent }: Relative, key: string): string {
  const [, of = agent, , run] = JOB_RUN.exec(key) ?? []
  return `${of}/${run ?? key}`
}

/** The scheduled job of which the session is a run; undefined also where the key is another session's. */
export function jobOf(key: string, session: string): string | undefined {
  const [, , job, run] = JOB_RUN.exec(key) ?? []
  return run?.toLowerCase() === session.toLowerCase() ? job : undefined
}

/** Sessions that the program holds with itself: dreams over its own memory, and effects that are to stay hidden. */
export function isInternalKey(key: string): boolean {
  return /^(?:agent:[^:]+:)?(?:dreaming-narrative-|internal-session-effects:)/.test(key)
}
