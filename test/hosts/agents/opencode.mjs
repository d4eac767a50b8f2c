import { join } from 'node:path'
import { writeSettings } from '../settings.mjs'

/** @type {import('../agents.mjs').Agent} */
export const opencode = {
  host: 'opencode',
  binary: 'memu-opencode',
  title: 'opencode',
  package: 'opencode-ai',
  version: '1.18.33',
  program: 'opencode',
  tree: (home) => join(home, '.memu', 'hosts', 'opencode'),
  logs: (home) => join(home, '.local', 'share', 'opencode'),
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  settle: ({ home, url }) =>
    writeSettings(join(home, '.config', 'opencode', 'opencode.json'), {
      model: 'loopback/m1',
      small_model: 'loopback/m1',
      permission: 'allow',
      provider: {
        loopback: { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1`, apiKey: 'not-a-key' }, models: { m1: {} } },
      },
    }),
  turn: ({ prompt, session }) => ['run', ...again(session), prompt],
  // It asks the model for a title.
  titled: (talk) => talk.name,
  tools: { shell: (command) => ({ name: 'bash', input: { command, description: 'As asked' } }) },
}

function again(session) {
  if (session === undefined) return []
  return session === 'newest' ? ['--continue'] : ['--session', session]
}
