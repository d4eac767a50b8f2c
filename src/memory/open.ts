/** From settings to a backend: the only place that chooses one. */
import type { Settings } from '../config/settings.ts'
import type { Embedder } from '../embedding/embedder.ts'
import { openStore, storePath } from '../store/open.ts'
import { MemuError } from '../util/errors.ts'
import { realSystem, type System } from '../util/system.ts'
import type { MemoryBackend } from './backend.ts'
import { type LocalBackend, localBackend } from './local.ts'

export interface OpenBackendOptions {
  /** For commands that only read: works on files that cannot be written, and creates none. */
  readonly readOnly?: boolean
}

/** The backend that the settings name. Errors: `no_store` where no store is declared, and those of `openLocal`. */
export async function openBackend(settings: Settings, system: System, options: OpenBackendOptions = {}): Promise<MemoryBackend> {
  if (settings.mode === 'cloud') {
    throw new MemuError('cloud_unavailable', 'MEMU_MEMORY_MODE is cloud, which this version does not offer yet.', {
      hint: `Set MEMU_MEMORY_MODE=local in ${settings.configFile}`,
      exit: 2,
    })
  }
  return openLocalBackend(settings, system, options)
}

/** The local engine that the settings name, for commands that need more than the three operations. Errors: `no_store` and those of `openLocal`. */
export async function openLocalBackend(
  settings: Settings,
  system: System,
  { readOnly = false }: OpenBackendOptions = {},
): Promise<LocalBackend> {
  if (settings.db === undefined || settings.db === '') {
    throw new MemuError('no_store', `MEMU_DB is not set: no store is declared in the environment or in ${settings.configFile}.`, {
      hint: `Add a line to ${settings.configFile}, for example MEMU_DB=~/.memu/memory.db`,
      exit: 2,
    })
  }
  const { openEmbedder } = await import('../embedding/open.ts')
  return openLocal({ db: settings.db, embedder: (deadline) => openEmbedder(settings, system, deadline), system, readOnly })
}

export interface OpenLocalOptions {
  /** As `MEMU_DB`: a path, `~/…`, `sqlite:///…` or `:memory:`. */
  readonly db: string
  /** Default: the embedded one. A function opens it at first need; a retrieval gives it the signal that it has to keep to. */
  readonly embedder?: Embedder | ((deadline?: () => AbortSignal) => Promise<Embedder>)
  /** Milliseconds that a retrieval waits for an embedding server before the text lane answers alone; default 2,500. */
  readonly queryDeadlineMs?: number
  readonly readOnly?: boolean
  readonly system?: System
}

/**
 * The local engine over one store. A read-only store that does not exist yet is an empty memory that says so.
 * Errors: `store_newer`, `store_foreign`, `store_corrupt`, `store_unreachable`, `store_unsupported` …
 */
export async function openLocal(options: OpenLocalOptions): Promise<LocalBackend> {
  const system = options.system ?? realSystem()
  const given = options.embedder ?? localEmbedder
  const embedder = typeof given === 'function' ? given : async () => given
  const { readOnly = false, queryDeadlineMs } = options
  const store = await openStore(options.db, system, { readOnly })
  const now = () => system.now()
  if (store !== undefined) return localBackend({ store, embedder, now, readOnly, queryDeadlineMs })
  const { memoryStore } = await import('../store/memory-store.ts')
  return localBackend({
    store: memoryStore(storePath(options.db, system)),
    embedder,
    now,
    readOnly,
    queryDeadlineMs,
    notice: 'Nothing is remembered yet: the store does not exist until the first commit.',
  })
}

async function localEmbedder(): Promise<Embedder> {
  const module = await import('../embedding/local/embedder.ts')
  return module.localEmbedder()
}
