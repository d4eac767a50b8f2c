import { join } from 'node:path'
import { chatModel, writeSettings } from '../settings.mjs'

/** @type {import('../agents.mjs').Agent} */
export const pi = {
  host: 'pi',
  binary: 'memu-pi',
  title: 'pi',
  package: '@earendil-works/pi-coding-agent',
  version: '1.6.0',
  program: 'pi',
  node24: true,
  tree: (home) => join(home, '.memu', 'hosts', 'pi'),
  logs: (home) => join(home, '.pi', 'agent', 'sessions'),
  sessionVariable: 'PI_SESSION_ID',
  environment: () => ({ PI_OFFLINE: '1' }),
  settle: ({ home, url }) => writeSettings(join(home, '.pi', 'agent', 'models.json'), { providers: { loopback: chatModel(url) } }),
  turn: ({ prompt, session }) => ['--provider', 'loopback', '--model', 'm1', ...again(session), '-p', prompt],
  tools: { shell: (command) => ({ name: 'bash', input: { command } }) },
}

function again(session) {
  if (session === undefined) return []
  return session === 'newest' ? ['--continue'] : ['--session', session]
}
