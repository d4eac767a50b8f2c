/** Any server that speaks OpenAI's chat completions: OpenAI, OpenRouter, llama.cpp, LM Studio, vLLM and many more. */
import { MemuError } from '../../../util/errors.ts'
import { HttpFailure } from '../../../util/post-json.ts'
import type { System } from '../../../util/system.ts'
import type { Backend } from '../backend.ts'
import { serverDestination } from '../destination.ts'
import { oneLine, shortened } from '../proposal.ts'
import { AI_KEYS, type AiSettings } from '../settings.ts'
import { askServer, type ModelServer, type Outside, serverFailure } from './model-server.ts'
import { endpoint, openAiBase, serverUrl } from './server-url.ts'

const DEFAULT_URL = 'https://api.openai.com/v1'

/** What the answer is asked to be, from strict to nothing: servers differ in what they know, and say 400 to the rest. */
const FORMATS = [
  (schema: object) => ({ response_format: { type: 'json_schema', json_schema: { name: 'proposal', strict: true, schema } } }),
  () => ({ response_format: { type: 'json_object' } }),
  () => ({}),
] as const

/** Errors: `invalid_setting` for an address that is none, and where neither an address nor a key says which server is meant. */
export function openAiBackend(settings: AiSettings, system: System, outside: Outside = {}): Backend {
  const base = openAiBase(serverUrl(settings.url || DEFAULT_URL))
  // OpenAI's own variable is for OpenAI alone, and never goes there in clear text.
  const key = settings.key || (base.origin === new URL(DEFAULT_URL).origin ? system.env.OPENAI_API_KEY : undefined)
  if (!settings.url && !key) throw neitherServerNorKey()
  const startHint = `Start the server, or set ${AI_KEYS.url}.`
  const server: ModelServer = {
    title: 'The model server',
    system,
    key,
    startHint,
    outside,
  }
  // Kept for the life of the backend: the server will not have learned the format by the next question.
  let format = 0

  const complete = async (model: string, prompt: string, { schema, ...asking }: Parameters<Backend['ask']>[1]): Promise<unknown> => {
    for (;;) {
      const body = { model, messages: [{ role: 'user', content: prompt }], stream: false, ...FORMATS[format]?.(schema) }
      try {
        return await askServer(server, endpoint(base, 'chat/completions'), body, asking)
      } catch (error) {
        if (!isAboutFormat(error) || format === FORMATS.length - 1) throw error
        format++
      }
    }
  }

  return {
    name: 'openai',
    destination: serverDestination(base),
    async ask(prompt, options) {
      try {
        const model = settings.model || onlyOne(await askServer(server, endpoint(base, 'models'), undefined, { signal: options.signal }))
        return textOf(await complete(model, prompt, options))
      } catch (error) {
        throw serverFailure(error, server, base)
      }
    },
  }
}

/** Whoever has a server of their own, and left its address out, does not want to ask OpenAI. */
function neitherServerNorKey(): MemuError {
  return new MemuError(
    'invalid_setting',
    `openai needs the address of a server, or a key for OpenAI's own (${new URL(DEFAULT_URL).host}).`,
    {
      hint: `Give the address (${AI_KEYS.url}), or set ${AI_KEYS.key} in the environment.`,
      exit: 2,
    },
  )
}

/** A prompt that is too long, or a model that is not there, is no better in another format. */
function isAboutFormat(error: unknown): boolean {
  if (!(error instanceof HttpFailure) || (error.status !== 400 && error.status !== 422)) return false
  return (
    !/context|too long|maximum|token|model.{0,80}(?:not|exist|unknown)/i.test(error.detail) || /response_format|schema/i.test(error.detail)
  )
}

/** Local servers have one model loaded. Of many none is chosen: they cost, and answer, too differently. */
function onlyOne(answer: unknown): string {
  const data = (answer as { data?: unknown } | null)?.data
  const ids = (Array.isArray(data) ? data : [])
    .map((model) => (model as { id?: unknown } | null)?.id)
    .filter((id): id is string => typeof id === 'string' && id !== '' && !/embed|rerank/i.test(id))
  if (ids.length === 1) return ids[0]!
  const some = ids.slice(0, 5).map((id) => shortened(oneLine(id), 80))
  throw new MemuError('ai_unavailable', `No model is named, and the server offers ${ids.length === 0 ? 'none' : ids.length}.`, {
    hint: `Name one in ${AI_KEYS.model}${some.length === 0 ? '' : `, for example ${some.join(', ')}`}.`,
  })
}

interface Choice {
  readonly finish_reason?: unknown
  readonly message?: {
    readonly content?: unknown
    readonly refusal?: unknown
    readonly reasoning_content?: unknown
    readonly reasoning?: unknown
  } | null
}

function textOf(answer: unknown): string {
  const choices = (answer as { choices?: unknown } | null)?.choices
  const { finish_reason, message } = ((Array.isArray(choices) ? choices[0] : undefined) ?? {}) as Choice
  const refusal = message?.refusal
  if (typeof refusal === 'string' && refusal !== '') throw failed(`declined: ${shortened(oneLine(refusal), 300)}`)
  if (finish_reason === 'content_filter') throw failed('declined: its filter took the answer back')
  if (finish_reason === 'length') throw failed("reached the model's limit of tokens before its answer was complete")
  const text = [joined(message?.content), message?.reasoning_content, message?.reasoning].find(
    (part): part is string => typeof part === 'string' && part.trim() !== '',
  )
  if (text === undefined) throw failed('gave an empty answer')
  return text
}

/** A string, or a list of parts as some gateways have it. */
function joined(content: unknown): unknown {
  if (!Array.isArray(content)) return content
  return content
    .map((part) => (part as { text?: unknown } | null)?.text)
    .filter((text) => typeof text === 'string')
    .join('')
}

function failed(how: string): MemuError {
  return new MemuError('ai_failed', `The model server ${how}.`, { hint: `Ask again, or name another model in ${AI_KEYS.model}.` })
}
