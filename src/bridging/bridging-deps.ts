/** What the pipeline needs from outside. One object, so that a test hands in its own host, engine, clock and texts. */
import type { HostSpec } from '../hosts/host-spec.ts'
import type { MemoryBackend } from '../memory/backend.ts'
import type { Where } from '../records.ts'
import type { System } from '../util/system.ts'
import { type Layout, layout } from './layout.ts'
import type { GateOptions, Redaction } from './open-gates.ts'
import type { Templates } from './templates.ts'

export interface BridgingDeps {
  readonly system: System
  readonly spec: HostSpec
  /** Opens the engine; called at most once a run, and not at all where nothing is to do. The caller closes it. */
  readonly backend: () => Promise<MemoryBackend>
  /** Whose memory; absent parts are the empty string. */
  readonly scope?: Where
  /** The job texts; the shipped ones by default. */
  readonly templates?: Templates
  /** The rules by which secrets are removed from slices and memory files; those of `redaction/` by default. */
  readonly redaction?: Redaction
}

export interface TreeOptions {
  /** `--base-dir`: another working tree than the host's own. */
  readonly baseDir?: string
  /** The token of the lock that the caller holds (`bridge` across prepare and commit). */
  readonly lockToken?: string
  /** False under `--no-redact`: secrets stay in slices and memory files. */
  readonly redact?: boolean
}

export function treeOf(options: TreeOptions, deps: BridgingDeps): Layout {
  return layout(deps.spec.host, options.baseDir ?? deps.spec.baseDir(deps.system))
}

/** The files of one scope: an absent part is the empty string, never "every value". */
export function scopeOf(deps: BridgingDeps): { readonly user_id: string; readonly agent_id: string } {
  return { user_id: deps.scope?.user_id ?? '', agent_id: deps.scope?.agent_id ?? '' }
}

/** Something that was passed over, for the report: the run goes on, and the program exits with 1 at the end. */
export interface Problem {
  /** A path, or the id of a session. */
  readonly on: string
  readonly reason: string
}

/** How the gates of a run are opened. */
export function gateOptions({ redact = true }: TreeOptions, { system, redaction }: BridgingDeps): GateOptions {
  return { system, redact, ...(redaction === undefined ? {} : { redaction }) }
}
