/** From settings to a proposer: the only place that chooses one. */
import { MemuError } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'
import type { Backend, Proposer } from './backend.ts'
import { builtinProposer } from './backends/builtin/proposer.ts'
import { claudeBackend } from './backends/claude.ts'
import { codexBackend } from './backends/codex.ts'
import { ollamaBackend } from './backends/ollama.ts'
import { openAiBackend } from './backends/openai.ts'
import { newService } from './service.ts'
import { AI_KEYS, type AiSettings } from './settings.ts'

/** As settings name them; the first is the default. */
export const BACKENDS = ['builtin', 'claude', 'codex', 'ollama', 'openai'] as const
export type BackendName = (typeof BACKENDS)[number]

const ADAPTERS: Readonly<Record<Exclude<BackendName, 'builtin'>, (settings: AiSettings, system: System) => Backend>> = {
  claude: claudeBackend,
  codex: codexBackend,
  ollama: ollamaBackend,
  openai: openAiBackend,
}

/**
 * Nothing is started or asked before the first proposal. Errors: `invalid_backend` for a name that is none (case and blanks do not count),
 * `invalid_setting` for an address that is none.
 */
export function openProposer(settings: AiSettings, system: System): Proposer {
  const name = backendName(settings.backend)
  return name === 'builtin' ? builtinProposer(() => system.now()) : newService(ADAPTERS[name](settings, system))
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
