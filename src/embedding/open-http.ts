/** From settings to an embedder over HTTP: checks what is configured before anything is sent. */
import { join } from 'node:path'
import { parseBaseUrl } from '../config/base-url.ts'
import type { Settings } from '../config/settings.ts'
import { MemuError } from '../util/errors.ts'
import type { System } from '../util/system.ts'
import { dimensionsCache } from './dimensions-cache.ts'
import type { Embedder } from './embedder.ts'
import { type HttpEmbedderOptions, httpEmbedder, probeDimensions } from './http.ts'
import { MODEL_DIMENSIONS, PROVIDERS, type Provider } from './providers.ts'

/** Errors: `invalid_config` (exit 2), and `embedding_failed` where the dimensions had to be asked for. */
export async function openHttpEmbedder(settings: Settings, system: System, deadline?: () => AbortSignal): Promise<Embedder> {
  const options = httpOptions(settings, system)
  const known = MODEL_DIMENSIONS[options.model] ?? MODEL_DIMENSIONS[options.model.replace(/:latest$/, '')]
  if (known !== undefined) return httpEmbedder(options, known)
  const cache = dimensionsCache(join(system.home, '.memu', 'cache', 'embedding-dimensions.json'))
  const { origin, pathname } = new URL(options.baseUrl)
  // Without the query: the cache is a file like others, and a query may hold a key.
  const key = `${options.provider.name} ${origin}${pathname} ${options.model}`
  const remembered = cache.get(key)
  if (remembered !== undefined) return httpEmbedder(options, remembered)
  const dimensions = await probeDimensions(options, deadline?.())
  cache.set(key, dimensions)
  return httpEmbedder(options, dimensions)
}

function httpOptions(settings: Settings, system: System): HttpEmbedderOptions {
  const { embedding, configFile } = settings
  const provider = PROVIDERS.find((row) => row.name === embedding.provider)
  if (provider === undefined) throw unknownProvider(embedding.provider, configFile)
  const baseUrl = embedding.baseUrl ?? provider.baseUrl
  const model = embedding.model ?? provider.model
  const missing = (key: string): MemuError =>
    invalid(`The embedding provider ${provider.name} needs ${key}, which is not set.`, `Put ${key}=… into ${configFile}. ${provider.help}`)
  if (baseUrl === undefined) throw missing('MEMU_BASE_URL')
  if (model === undefined) throw missing('MEMU_EMBED_MODEL')
  parseBaseUrl(baseUrl, { key: 'MEMU_BASE_URL', secretKey: 'MEMU_API_KEY', configFile })
  const apiKey = embedding.apiKey?.trim()
  if (!apiKey && provider.needsKey && baseUrl === provider.baseUrl) throw missing('MEMU_API_KEY')
  if (apiKey && !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw invalid(
      'MEMU_API_KEY holds characters that no key has (a space, a line break or a letter with an accent).',
      `Copy the key again into ${configFile}.`,
    )
  }
  return { provider, model, baseUrl: serverRoot(provider, baseUrl), apiKey, client: { system, value: settings.value } }
}

/** People give Ollama's address as other clients want it, with `/v1` or `/api` behind. */
function serverRoot(provider: Provider, baseUrl: string): string {
  return provider.name === 'ollama' ? baseUrl.replace(/\/(?:v1|api)\/?$/, '') : baseUrl
}

function unknownProvider(name: string, configFile: string): MemuError {
  const names = ['local', ...PROVIDERS.map((row) => row.name)].join(', ')
  return invalid(`There is no embedding provider ${JSON.stringify(name)}.`, `MEMU_EMBED_PROVIDER in ${configFile} can be ${names}.`)
}

function invalid(message: string, hint: string): MemuError {
  return new MemuError('invalid_config', message, { hint, exit: 2 })
}
