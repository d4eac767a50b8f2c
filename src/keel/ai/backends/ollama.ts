/** A model of Ollama, on this machine as a rule. */
import { MemuError } from '../../../util/errors.ts'
import { HttpFailure } from '../../../util/post-json.ts'
import type { System } from '../../../util/system.ts'
import type { Backend } from '../backend.ts'
import { serverDestination } from '../destination.ts'
import { AI_KEYS, type AiSettings } from '../settings.ts'
import { askServer, type ModelServer, type Outside, serverFailure } from './model-server.ts'
import { endpoint, ollamaBase, serverUrl } from './server-url.ts'

const DEFAULT_URL = 'http://127.0.0.1:11434'

/** Errors: `invalid_setting` for an address that is none. */
export function ollamaBackend(settings: AiSettings, system: System, outside: Outside = {}): Backend {
  const base = ollamaBase(serverUrl(settings.url || DEFAULT_URL))
  const startHint = `Start it (ollama serve), or set ${AI_KEYS.url}.`
  // A key that was meant for another server is not sent to the one of this machine.
  const key = settings.url ? settings.key : undefined
  const server: ModelServer = { title: 'Ollama', system, key, startHint, outside }
  return {
    name: 'ollama',
    destination: serverDestination(base, isOfCloud(settings.model ?? '')),
    async ask(prompt, { schema, signal, onSent }) {
      let model = settings.model ?? ''
      try {
        model ||= chosen(await askServer(server, endpoint(base, 'api/tags'), undefined, { signal }))
        return textOf(await askServer(server, endpoint(base, 'api/chat'), request(model, prompt, schema), { signal, onSent }))
      } catch (error) {
        throw missingModel(error, model) ?? serverFailure(error, server, base)
      }
    },
  }
}

function request(model: string, prompt: string, schema: object): object {
  return {
    model,
    messages: [{ role: 'user', content: prompt }],
    stream: false,
    format: schema,
    // What such models think goes into another field, and the answer may stay empty.
    think: false,
    keep_alive: '10m',
    options: { temperature: 0.3, num_ctx: contextFor(prompt) },
  }
}

/** Tokens. The default of the server is about 4,000, and what is longer is cut without a word: from the front, where the rules are. */
function contextFor(prompt: string): number {
  const tokens = prompt.length / 2.5 + 1024
  return [8_192, 16_384].find((size) => tokens <= size) ?? 32_768
}

/** The newest model that talks and runs here. One that runs elsewhere is used where it is named: the brief is private. */
function chosen(answer: unknown): string {
  const models = (answer as { models?: unknown } | null)?.models
  const names = (Array.isArray(models) ? models : []).filter(isLocalChat).map(({ name }) => name)
  if (names[0] !== undefined) return names[0]
  throw new MemuError('ai_unavailable', 'Ollama has no model that could answer.', {
    hint: `Fetch one, for example: ollama pull qwen3:4b. Or name one in ${AI_KEYS.model}.`,
  })
}

/** As Ollama names what it hands on. */
function isOfCloud(model: string): boolean {
  return /[-:]cloud$/.test(model)
}

function isLocalChat(model: unknown): model is { readonly name: string } {
  const { name, remote_host, details } = (model ?? {}) as { name?: unknown; remote_host?: unknown; details?: { family?: unknown } | null }
  if (typeof name !== 'string' || name === '') return false
  const isRemote = Boolean(remote_host) || isOfCloud(name)
  return !isRemote && !/embed|bert|rerank/i.test(`${name} ${details?.family ?? ''}`)
}

function textOf(answer: unknown): string {
  const { message, done_reason, error } = (answer ?? {}) as { message?: Record<string, unknown>; done_reason?: unknown; error?: unknown }
  if (typeof error === 'string') throw new HttpFailure(error, 500)
  const content = message?.content
  if (typeof content === 'string' && content.trim() !== '') return content
  // Versions that do not know `think` put what was to fit the schema there.
  const thinking = message?.thinking
  if (typeof thinking === 'string' && thinking.trim() !== '') return thinking
  throw new MemuError('ai_failed', `Ollama's answer is empty${done_reason === 'length' ? ': the model used up its context' : ''}.`, {
    hint: `Name another model in ${AI_KEYS.model}.`,
  })
}

function missingModel(error: unknown, model: string): MemuError | undefined {
  if (!(error instanceof HttpFailure) || error.status !== 404 || model === '') return undefined
  return new MemuError('ai_unavailable', `Ollama does not have the model ${JSON.stringify(model)}.`, {
    hint: `Fetch it (ollama pull ${/^[\w.:/-]+$/.test(model) ? model : 'MODEL'}), or name another one in ${AI_KEYS.model}.`,
    cause: error,
  })
}
