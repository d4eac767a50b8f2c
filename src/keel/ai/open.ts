/** From settings to a proposer: the only place that chooses one. */
import { MemuError } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import type { Backend, Proposer } from './backend.ts'
import { AI_KEYS, type AiSettings, BACKENDS, type BackendName } from './settings.ts'

type OpenBackend = (settings: AiSettings, system: System) => Backend

/** Loaded when it is chosen. */
const ADAPTERS: Readonly<Record<Exclude<BackendName, 'builtin'>, () => Promise<OpenBackend>>> = {
  claude: async () => (await import('./backends/claude.ts')).claudeBackend,
  codex: async () => (await import('./backends/codex.ts')).codexBackend,
  ollama: async () => (await import('./backends/ollama.ts')).ollamaBackend,
  openai: async () => (await import('./backends/openai.ts')).openAiBackend,
}

/**
 * Nothing is started or asked before the first proposal. Errors: `invalid_backend` for a name that is none (case and blanks do not count),
 * `invalid_setting` for an address that is none, and where it is not said which server is meant.
 */
export async function openProposer(settings: AiSettings, system: System): Promise<Proposer> {
  const name = backendName(settings.backend)
  if (name === 'builtin') return (await import('./backends/builtin/proposer.ts')).builtinProposer(() => system.now())
  const [open, { newService }] = await Promise.all([ADAPTERS[name](), import('./service.ts')])
  return newService(open(settings, system))
}

/** Errors: `invalid_backend`. */
export function backendName(declared: string): BackendName {
  const name = declared.trim().toLowerCase() || BACKENDS[0]
  const known = BACKENDS.find((backend) => backend === name)
  if (known !== undefined) return known
  throw new MemuError('invalid_backend', `${AI_KEYS.backend} is ${JSON.stringify(declared.slice(0, 80))}, which is no proposer.`, {
    hint: `Choose one of ${BACKENDS.join(', ')}.`,
    exit: 2,
  })
}
