/** Puts a daemon's memory together: the only place that chooses its stores. */
import { printable } from '../../util/printable.ts'
import type { System } from '../../util/system.ts'
import type { AwClient } from '../aw/client.ts'
import { isUnanswered } from '../aw/errors.ts'
import { type AwStore, newAwStore } from './aw-store.ts'
import { type Connection, newConnection } from './connection.ts'
import { type Copier, newCopier } from './copy.ts'
import { type Direct, newDirect } from './direct.ts'
import { type EmbeddedStore, openEmbeddedStore } from './embedded-store.ts'
import { forgetThere } from './forgetting.ts'
import { newForgotten } from './forgotten.ts'
import { newLocalStore } from './local-store.ts'
import { openMended } from './mend.ts'
import { newReader, type Reader } from './reader.ts'
import type { KeelMemory } from './store.ts'
import { newSwitchingStore } from './switching-store.ts'

/** The seed's names: they are a contract with whoever else reads the bucket. */
export const BUCKET = 'keel.events'
export const BUCKET_TYPE = 'keel.event'
export const BUCKET_CLIENT = 'keel'

/** Between two looks for ActivityWatch, and two tries to write a file that could not be written. */
export const PROBE_EVERY_MS = 30_000
/** Of one read, whatever ActivityWatch does: a brief must not take longer than three seconds. */
export const READ_LIMIT_MS = 2_000
/** A server that is well takes some events in a tenth of that. */
export const COPY_PATIENCE_MS = 250

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
  readonly copyPatienceMs?: number
}

/** Ready at once: ActivityWatch is looked for in the background. Never throws: without a place for events there is no memory. */
export function openMemory(options: MemoryOptions): KeelMemory {
  const { aw, file, system, log = () => {}, notify = () => {}, bucket = BUCKET } = options
  const { probeEveryMs: everyMs = PROBE_EVERY_MS, readLimitMs = READ_LIMIT_MS, copyPatienceMs = COPY_PATIENCE_MS } = options
  const now = (): Date => system.now()
  const closing = new AbortController()
  let copier: Copier | undefined
  const say = (line: string): void => log(printable(line))
  const open = (isDoubted: boolean): EmbeddedStore =>
    openMended({ file: file!, open: (path) => openEmbeddedStore(path, now, say), now, log: say }, isDoubted)
  const onLocalChange = (): void => {
    notify()
    copier?.startAnew()
  }
  const local = file === undefined ? undefined : newLocalStore({ file, open, now, everyMs, log, onChange: onLocalChange })
  const forgotten = newForgotten(() => local?.wishes() ?? [], now)
  const parts = { url: aw?.url ?? '', local, forgotten, copyPatienceMs, startedAt: now(), onChange: notify, closing }
  const reading = { local, forgotten, now, limitMs: readLimitMs, restMs: everyMs, log, closing: closing.signal }
  const withReader = (remote?: AwStore, connection?: Connection): { readonly reader: Reader; readonly direct: Direct } => {
    const reader = newReader({ ...reading, remote, connection })
    return { reader, direct: newDirect({ remote, connection, reader, forgotten, now, readLimitMs, closing: closing.signal }) }
  }
  if (aw === undefined) return newSwitchingStore({ ...parts, ...withReader() })

  const remote = newAwStore(aw, bucket, log, now)
  const connection = newConnection({
    reach: (signal) => aw.ensureBucket(bucket, BUCKET_TYPE, BUCKET_CLIENT, signal),
    check: (signal) => aw.info(signal),
    now,
    everyMs,
    onUp() {
      log(`memory: ${bucket} ready at ${aw.url}`)
      copier?.startAnew()
      notify()
    },
    onDown(why) {
      log(`memory: AW unavailable at ${aw.url} (${why}); ${local?.isOpen ? 'keeping events locally' : 'running without memory'}`)
      notify()
    },
  })
  copier =
    local &&
    newCopier({
      local,
      remote,
      forget: () => forgetThere({ local, remote, now, signal: closing.signal }),
      url: aw.url,
      onChange: notify,
      isUp: () => connection.isUp,
      onLost: (error) => (isUnanswered(error) ? connection.lost(error) : connection.doubt()),
      everyMs,
      log,
      signal: closing.signal,
    })
  return newSwitchingStore({ ...parts, connection, copier, ...withReader(remote, connection) })
}
