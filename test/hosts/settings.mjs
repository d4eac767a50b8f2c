/** What the records of the agents write: settings of their programs. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

export function writeSettings(path, settings) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, `${JSON.stringify(settings, null, 2)}\n`)
}

/** The loopback model as a provider, in the words that pi and OpenClaw share. */
export function chatModel(url) {
  const models = [{ id: 'm1', name: 'm1', contextWindow: 100_000, maxTokens: 4000 }]
  return { baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'not-a-key', models }
}
