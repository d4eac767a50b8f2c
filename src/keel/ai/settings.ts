/** Proposers as settings name them; the first is the default. */
export const BACKENDS = ['builtin', 'claude', 'codex', 'ollama', 'openai'] as const
export type BackendName = (typeof BACKENDS)[number]

/** What the settings say about the backend. */
export interface AiSettings {
  /** One of `BACKENDS`; empty: the built-in one. */
  readonly backend: string
  /** The model's name. Empty: the program's own choice, or the one that the server has. */
  readonly model?: string
  /** Address of the model server (`ollama`, `openai`). */
  readonly url?: string
  /** Key for the model server; from the environment or the file alone. */
  readonly key?: string
  /** The program (`claude`, `codex`), where its name alone is not found: a service that starts at login has a short PATH. */
  readonly program?: string
}

/** Where a person sets them, for hints. */
export const AI_KEYS = {
  backend: 'KEEL_AI_BACKEND',
  model: 'KEEL_AI_MODEL',
  url: 'KEEL_AI_URL',
  key: 'KEEL_AI_KEY',
  program: 'KEEL_AI_PROGRAM',
} as const
