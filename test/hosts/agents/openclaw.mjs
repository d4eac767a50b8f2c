import { join } from 'node:path'
import { chatModel, writeSettings } from '../settings.mjs'

/** @type {import('../agents.mjs').Agent} */
export const openclaw = {
  host: 'openclaw',
  binary: 'memu-openclaw',
  title: 'OpenClaw',
  package: 'openclaw',
  version: '2026.9.6',
  program: 'openclaw',
  node24: true,
  tree: (home) => join(home, '.memu', 'hosts', 'openclaw'),
  logs: (home) => join(home, '.openclaw', 'agents'),
  // It works in a folder of its own, wherever it is started.
  workFolder: (home) => join(home, '.openclaw', 'workspace'),
  environment: () => ({}),
  settle: ({ home, url }) =>
    writeSettings(join(home, '.openclaw', 'openclaw.json'), {
      models: { providers: { loopback: chatModel(url) } },
      // They take seconds of every turn, and have no part in the log.
      plugins: { enabled: false },
      agents: { defaults: { model: { primary: 'loopback/m1' } } },
    }),
  // A key holds one conversation, until the person begins another one in it.
  turn: ({ prompt, project }) => ['agent', '--local', '--session-key', `agent:main:${project}`, '--message', prompt],
  tools: { shell: (command) => ({ name: 'exec', input: { command } }) },
}
