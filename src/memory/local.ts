/** The engine in process: the backend over a store and an embedder. */
import { type Embedder, type EmbeddingSpace, sameSpace } from '../embedding/embedder.ts'
import type { FileKey, RecallFile, RecallFileInput, Where } from '../records.ts'
import type { FileVersion, Store, StoreReport } from '../store/store.ts'
import { MemuError } from '../util/errors.ts'
import type { CommitReceipt, MemoryBackend, Retrieved } from './backend.ts'
import { decodeCursor, encodeCursor } from './cursor.ts'
import type { ReindexOptions } from './reindex.ts'
import { type Deadline, type LaneOptions, retrieve, spaceName } from './retrieve.ts'

const PAGE = 50
const MOST_PAGE = 1000

/** What the local engine offers beyond the three operations, for commands on this machine. */
export interface LocalBackend extends MemoryBackend {
  progressiveRetrieve(query: string, options?: LaneOptions): Promise<Retrieved>

  /**
   * Embeds what has no vector of the current embedder, in batches that each are kept, and rebuilds the indexes. Stopped at any
   * point, the next call goes on from there. A store of another space changes to this one.
   */
  reindex(options?: ReindexOptions): Promise<ReindexReport>

  /** For `doctor`. With `integrity`, reads and checks the whole store. */
  inspect(options?: { readonly integrity?: boolean }): Promise<StoreReport>

  /** One file as it is stored; undefined where it is not, or was forgotten. */
  get(key: FileKey, where?: Where): Promise<RecallFile | undefined>

  /** Every version of a file, newest first, forgets included; empty where there never was such a file. */
  history(key: FileKey, where?: Where): Promise<FileVersion[]>

  /**
   * Makes a file again what it was at a version of its history; without one, takes back its last change: a forgotten file returns, a
   * changed one is what it was before. The file gets a new version by it. Errors: `nothing_to_restore`; `no_such_version` (exit 2).
   */
  restore(key: FileKey, options?: RestoreOptions): Promise<CommitReceipt>
}

export interface RestoreOptions {
  /** A number from `history`. */
  readonly version?: number
  /** What is stored of the version, under its own name: old ones may hold what is not stored any more. As it was by default. */
  readonly cleaned?: (version: RecallFileInput) => RecallFileInput
  readonly where?: Where
}

export interface ReindexReport {
  readonly embedded: number
  readonly space: EmbeddingSpace
}

export interface LocalBackendOptions {
  readonly store: Store
  /** Opened at first need: a listing needs none. A retrieval gives the deadline that opening has to keep. */
  readonly embedder: (deadline?: Deadline) => Promise<Embedder>
  readonly now: () => Date
  /** Said with every answer, for a person. */
  readonly notice?: string
  /** Milliseconds that a retrieval waits for an embedding server; default 2,500. */
  readonly queryDeadlineMs?: number | undefined
  /** Whatever writes is refused before it begins. */
  readonly readOnly?: boolean
}

export function localBackend(options: LocalBackendOptions): LocalBackend {
  const { store, now, notice, readOnly = false } = options
  // Only an embedder that opened is kept: a server that cannot be reached now may answer the next call.
  let opened: Embedder | undefined
  const openEmbedder = async (deadline?: Deadline) => (opened ??= await options.embedder(deadline))

  // Loaded at first use, so that a retrieval does not read the code of a commit.
  const reindex = async (own: Embedder, how?: ReindexOptions) => (await import('./reindex.ts')).reindex(store, own, how)
  const writing = async () => ({ ...(await import('./payload.ts')), ...(await import('./commit.ts')) })

  function refuseReadOnly(): void {
    if (readOnly) throw new MemuError('store_readonly', `The store ${store.location} was opened for reading; nothing was written.`)
  }

  /** The embedder, once the store is of its space. A new table of the local embedder is taken up here; any other change is the user's to make. */
  async function writer(): Promise<Embedder> {
    refuseReadOnly()
    const own = await openEmbedder()
    const { space, pending } = await store.state()
    if (space === undefined) return own
    if (!sameSpace(space, own.space)) {
      if (space.provider !== 'local' || own.space.provider !== 'local') throw mismatch(space, own.space)
      await reindex(own)
    } else if (pending && own.space.provider === 'local') {
      await reindex(own)
    }
    return own
  }

  return {
    async listAllRecallFiles({ where = {}, cursor, limit = PAGE } = {}) {
      if (!Number.isInteger(limit) || limit < 1 || limit > MOST_PAGE) {
        throw new MemuError('invalid_limit', `The limit must be a whole number from 1 to ${MOST_PAGE}.`, { exit: 2 })
      }
      const after = cursor === undefined || cursor === null ? null : decodeCursor(cursor)
      // One more than asked for tells whether there is a next page.
      const found = await store.list(where, after, limit + 1)
      const page: RecallFile[] = found.slice(0, limit)
      const { id } = await store.state()
      return {
        recall_files: page,
        next_cursor: found.length > limit ? encodeCursor(page.at(-1)!) : null,
        ...(id === undefined ? {} : { store_id: id }),
        ...(after === null ? { forgotten: await store.forgotten(where) } : {}),
      }
    },

    async progressiveRetrieve(query, laneOptions) {
      const retrieved = await retrieve({ store, openEmbedder, deadlineMs: options.queryDeadlineMs }, query, laneOptions)
      return notice === undefined ? retrieved : { ...retrieved, notice }
    },

    async commitResults(payload) {
      const { settle, commit } = await writing()
      const settled = settle(payload)
      return commit(settled, { store, embedder: await writer(), now })
    },

    async reindex(reindexOptions) {
      refuseReadOnly()
      const own = await openEmbedder()
      return { embedded: await reindex(own, reindexOptions), space: own.space }
    },

    inspect: (inspectOptions) => store.inspect(inspectOptions),

    async get(key, where) {
      const [found] = await store.findFiles((await writing()).scopeOf(where), [key])
      if (found === undefined) return undefined
      const { segments: _segments, revision: _revision, ...file } = found
      return file
    },

    history: async (key, where) => store.history((await writing()).scopeOf(where), key),

    async restore(key, { version, where, cleaned = (file: RecallFileInput) => file } = {}) {
      const { scopeOf, commit } = await writing()
      const scope = scopeOf(where)
      const versions = await store.history(scope, key)
      const wanted = version === undefined ? beforeLastChange(versions, key) : atVersion(versions, version, key)
      const { track, name, description, content, provenance } = wanted
      const file = cleaned({ track, name, description, content, ...(provenance === undefined ? {} : { provenance }) })
      const files = [{ ...file, track, name, description: file.description ?? '' }]
      return commit({ scope, files, resources: [], forget: [] }, { store, embedder: await writer(), now }, key)
    },

    close: () => store.close(),
  }
}

/** The newest version is the present state, or the forget of the state before it. */
function beforeLastChange(versions: readonly FileVersion[], { track, name }: FileKey): FileVersion {
  const earlier = versions[0]?.change === 'forgotten' ? versions : versions.slice(1)
  const wanted = earlier.find(({ change }) => change !== 'forgotten')
  if (wanted !== undefined) return wanted
  throw new MemuError('nothing_to_restore', `There is no earlier version of ${track}/${name}.`, {
    hint: `Its only version is the present one: memu history ${track}/${name}`,
  })
}

function atVersion(versions: readonly FileVersion[], version: number, { track, name }: FileKey): FileVersion {
  const wanted = versions.find((one) => one.version === version)
  if (wanted !== undefined && wanted.change !== 'forgotten') return wanted
  const why = wanted === undefined ? `There is no version ${version}` : `Version ${version} is the forgetting`
  const known = versions.filter(({ change }) => change !== 'forgotten').map((one) => one.version)
  const hint = known.length === 0 ? 'Run `memu list-files` to see what is stored.' : `Versions to restore: ${known.join(', ')}.`
  throw new MemuError('no_such_version', `${why} of ${track}/${name}.`, { hint, exit: 2 })
}

function mismatch(stored: EmbeddingSpace, own: EmbeddingSpace): MemuError {
  return new MemuError(
    'space_mismatch',
    `The store was embedded with ${spaceName(stored)}; this program embeds with ${spaceName(own)}. Nothing was written.`,
    {
      hint: 'Run `memu reindex` to re-embed the store, or set MEMU_EMBED_PROVIDER and MEMU_EMBED_MODEL back.',
      exit: 2,
    },
  )
}
