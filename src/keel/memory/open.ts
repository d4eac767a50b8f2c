/** Puts a daemon's memory together: the only place that chooses its stores. */
import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import type { AwClient } from '../aw/client.ts'
import { newAwStore } from './aw-store.ts'
import { newConnection } from './connection.ts'
import { newCopier } from './copy.ts'
import { type EmbeddedStore, openEmbeddedStore } from './embedded-store.ts'
import type { KeelMemory } from './store.ts'
import { newSwitchingStore } from './switching-store.ts'

/** The seed's names: they are a contract with whoever else reads the bucket. */
export const BUCKET = 'keel.events'
export const BUCKET_TYPE = 'keel.event'
export const BUCKET_CLIENT = 'keel'

/** Between two looks for ActivityWatch. */
export const PROBE_EVERY_MS = 30_000
/** Of one read, whatever ActivityWatch does: a brief must not take longer than three seconds. */
export const READ_LIMIT_MS = 2_000

export interface MemoryOptions {
  /** Undefined: events stay on this machine (the demo). */
  readonly aw?: AwClient | undefined
  /** Of the embedded store. Undefined: nothing is kept here, and without ActivityWatch there is no memory (`KEEL_MEMORY=none`). */
  readonly file?: string | undefined
  readonly system: Pick<System, 'now'>
  readonly log?: ((line: string) => void) | undefined
  /** The state is another one. */
  readonly notify?: (() => void) | undefined
  readonly bucket?: string
  readonly probeEveryMs?: number
  readonly readLimitMs?: number
}

/** Ready at once: ActivityWatch is looked for in the background. Never throws: without a place for events there is no memory. */
export function openMemory(options: MemoryOptions): KeelMemory {
  const { aw, system, log = () => {}, notify = () => {}, bucket = BUCKET } = options
  const now = (): Date => system.now()
  const local = openLocal(options.file, now, log)
  const closing = new AbortController()
  const parts = {
    url: aw?.url ?? '',
    local,
    readLimitMs: options.readLimitMs ?? READ_LIMIT_MS,
    startedAt: now(),
    onChange: notify,
    closing,
  }
  if (aw === undefined) return newSwitchingStore(parts)

  const remote = newAwStore(aw, bucket, log)
  const copier =
    local &&
    newCopier({
      local,
      remote,
      onChange: notify,
      onLost: (error) => connection.lost(error),
      log: (line) => log(printable(line)),
      signal: closing.signal,
    })
  const otherwise = local === undefined ? 'running without memory' : 'keeping events locally'
  const connection = newConnection({
    reach: (signal) => aw.ensureBucket(bucket, BUCKET_TYPE, BUCKET_CLIENT, signal),
    check: (signal) => aw.info(signal),
    now,
    everyMs: options.probeEveryMs ?? PROBE_EVERY_MS,
    onUp() {
      log(`memory: ${bucket} ready at ${aw.url}`)
      copier?.startAnew()
      notify()
    },
    onDown(why) {
      log(`memory: AW unavailable at ${aw.url} (${why}); ${otherwise}`)
      notify()
    },
  })
  return newSwitchingStore({ ...parts, remote, connection, copier })
}

function openLocal(file: string | undefined, now: () => Date, log: (line: string) => void): EmbeddedStore | undefined {
  if (file === undefined) return undefined
  try {
    return openEmbeddedStore(file, now)
  } catch (error) {
    // What follows is a daemon whose memory is ActivityWatch alone.
    log(printable(`memory: cannot keep events in ${file} (${reason(error)})`))
    return undefined
  }
}
