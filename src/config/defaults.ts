/** URLs that the code owns. They are never written into `config.env`: a value frozen there would outlive an upgrade. */
export const CLOUD_BASE_URL = 'https://api.memu.so/api/v4/memory/'

export const EMBEDDING_BASE_URLS: Readonly<Record<string, string>> = {
  openai: 'https://api.openai.com/v1',
  openrouter: 'https://openrouter.ai/api/v1',
  jina: 'https://api.jina.ai/v1',
  voyage: 'https://api.voyageai.com/v1',
  doubao: 'https://ark.cn-beijing.volces.com/api/v3',
  ollama: 'http://localhost:11434',
}

/** Whether `value` is what the code would use anyway, so that storing it would only freeze it. */
export function isDefaultUrl(key: string, value: string, provider: string): boolean {
  const own = key === 'MEMU_CLOUD_BASE_URL' ? CLOUD_BASE_URL : key === 'MEMU_BASE_URL' ? EMBEDDING_BASE_URLS[provider] : undefined
  return own !== undefined && trim(own) === trim(value)
}

function trim(url: string): string {
  return url.trim().replace(/\/+$/, '')
}
