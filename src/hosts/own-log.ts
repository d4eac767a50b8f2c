import type { System } from '../util/system.ts'
import type { HostSpec } from './host-spec.ts'
import type { TranscriptSource } from './transcript-source.ts'

export interface OwnLog {
  readonly spec: HostSpec
  readonly directory: string
  readonly source: TranscriptSource
}

/** Where a host keeps its sessions, opened; undefined for a host of which only the user can say where. */
export async function ownLog(spec: HostSpec, system: System): Promise<OwnLog | undefined> {
  const directory = spec.sessionDir(system)
  return directory === undefined ? undefined : { spec, directory, source: await spec.source(directory, system) }
}
