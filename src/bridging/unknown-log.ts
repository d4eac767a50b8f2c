/** Tells a log of which nothing is understood from one with nothing new: the one looks like the other, for ever, and needs a person. */
import type { HostSpec } from '../hosts/host-spec.ts'
import type { SessionRef } from '../hosts/transcript-source.ts'
import { commandFor, foreignLog, foreignText } from '../hosts/wrong-host.ts'
import { MemuError } from '../util/errors.ts'
import { plural } from '../util/plural.ts'
import type { System } from '../util/system.ts'
import type { SessionManifest } from './session-manifest.ts'

export interface LookedThrough {
  readonly spec: HostSpec
  readonly system: System
  readonly sessionDir: string
  /** The user named the folder. */
  readonly isNamed: boolean
  readonly found: readonly SessionRef[]
  /** With what this run learned of the sessions. */
  readonly manifest: SessionManifest
}

/**
 * Errors (exit 2), for a run that found nothing to mine: `no_session_log` where the folder that the user named holds no session and never
 * held one, `log_not_understood` and `wrong_host` where not one record of any session in it was understood.
 */
export function refuseUnknownLog({ spec, system, sessionDir, isNamed, found, manifest }: LookedThrough): void {
  if (found.length === 0) {
    if (!isNamed || manifest.sessions.size > 0) return
    throw new MemuError('no_session_log', `No file in ${sessionDir} can be a session log of ${spec.title}.`, {
      hint: adviceOn(spec),
      exit: 2,
    })
  }
  const looked = found.filter(({ size }) => size > 0)
  if (looked.length === 0 || !looked.every(({ id }) => manifest.sessions.get(id)?.silent === true)) return
  // A session in which nothing was said yet is silent as well; where a host's records are known, they tell.
  const foreign = foreignLog(spec, sessionDir)
  if (foreign !== undefined) {
    const hint = foreign.of === undefined ? adviceOn(spec) : commandFor('bridge', foreign.of, isNamed ? sessionDir : undefined)
    throw new MemuError(foreign.of === undefined ? 'log_not_understood' : 'wrong_host', foreignText(spec, sessionDir, foreign), {
      hint,
      exit: 2,
    })
  }
  if (spec.sessionDir(system) !== undefined) return
  throw new MemuError(
    'log_not_understood',
    `${plural(looked.length, 'log file')} in ${sessionDir}, and in none of them a record of a shape that ${spec.binary} knows: nothing can be learned from them.`,
    { hint: adviceOn(spec), exit: 2 },
  )
}

function adviceOn(spec: HostSpec): string {
  return `memu-agent detect <folder> looks for what ${spec.binary === 'memu-agent' ? 'can be read' : `${spec.title} and others wrote`}; docs/adding-a-host.md says how a new kind of log is taught.`
}
