import { join } from 'node:path'

/** @type {import('../agents.mjs').Agent} */
export const copilot = {
  host: 'copilot',
  binary: 'memu-copilot',
  title: 'Copilot CLI',
  package: '@github/copilot',
  version: '1.0.102',
  program: 'copilot',
  tree: (home) => join(home, '.memu', 'hosts', 'copilot'),
  logs: (home) => join(home, '.copilot', 'session-state'),
  sessionVariable: 'COPILOT_AGENT_SESSION_ID',
  environment: ({ url }) => ({
    COPILOT_OFFLINE: 'true',
    COPILOT_AUTO_UPDATE: 'false',
    COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
    COPILOT_PROVIDER_API_KEY: 'not-a-key',
    COPILOT_MODEL: 'gpt-5',
  }),
  turn: ({ prompt, session }) => ['--allow-all-tools', ...again(session), '-p', prompt],
  titled: (talk) => talk.turns[0].prompt,
  tools: { shell: (command) => ({ name: 'bash', input: { command, description: 'As asked' } }) },
}

function again(session) {
  if (session === undefined) return []
  return session === 'newest' ? ['--continue'] : [`--resume=${session}`]
}
