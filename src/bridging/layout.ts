/** Every path of one host's working tree, in one place. The names are contracts: prompts and other programs hold them. */
import { join } from 'node:path'

export interface Layout {
  readonly host: string
  readonly base: string
  /** An empty file: this folder is a tree of ours. */
  readonly marker: string
  readonly jobs: string
  readonly sessions: string
  /** `memory/` and `skill/`: the mirror of the store that the agent edits. */
  readonly tracks: { readonly memory: string; readonly skill: string }
  /** One path a line: files that the session's agent wrote, appended by the skill job. */
  readonly resourceLog: string
  readonly resources: string
  readonly sessionManifest: string
  readonly pendingManifest: string
  readonly memoryManifest: string
  /** Texts of the store that the mirror was written from, by hash: the base of a three-way merge. */
  readonly snapshot: string
  /** Per session the keys of the records that were mined: what a rewritten session repeats is told apart by them. */
  readonly minedKeys: string
  readonly selfSessions: string
  /** Jobs of the host's own scheduler that are runs of ours. */
  readonly ownJobs: string
  readonly bridgingRun: string
  readonly lock: string
  /** One empty file a finished job. */
  readonly done: string
  readonly log: string
}

export function layout(host: string, base: string): Layout {
  return {
    host,
    base,
    marker: join(base, '.memu_tree'),
    jobs: join(base, 'jobs'),
    sessions: join(base, 'sessions'),
    tracks: { memory: join(base, 'memory'), skill: join(base, 'skill') },
    resourceLog: join(base, '.resource.tmp'),
    resources: join(base, 'resources.md'),
    sessionManifest: join(base, `.session_manifest.${host}.json`),
    pendingManifest: join(base, `.session_manifest.${host}.json.pending`),
    memoryManifest: join(base, '.memory_manifest.json'),
    snapshot: join(base, '.snapshot'),
    minedKeys: join(base, '.mined_keys'),
    selfSessions: join(base, `.self_sessions.${host}.json`),
    ownJobs: join(base, `.own_jobs.${host}.json`),
    bridgingRun: join(base, `.bridging_run.${host}.json`),
    lock: join(base, `.bridging.${host}.lock`),
    done: join(base, '.done'),
    log: join(base, `bridging.${host}.log`),
  }
}
