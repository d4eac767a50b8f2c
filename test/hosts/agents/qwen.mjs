import { join } from 'node:path'
import { writeSettings } from '../settings.mjs'

/** @type {import('../agents.mjs').Agent} */
export const qwen = {
  host: 'qwen',
  binary: 'memu-qwen',
  title: 'Qwen Code',
  package: '@qwen-code/qwen-code',
  version: '0.24.4',
  program: 'qwen',
  tree: (home) => join(home, '.memu', 'hosts', 'qwen'),
  logs: (home) => join(home, '.qwen', 'projects'),
  sessionVariable: 'QWEN_CODE_SESSION_ID',
  environment: ({ url }) => ({ OPENAI_API_KEY: 'not-a-key', OPENAI_BASE_URL: `${url}/v1`, OPENAI_MODEL: 'loopback' }),
  settle: ({ home }) => writeSettings(join(home, '.qwen', 'settings.json'), { security: { auth: { selectedType: 'openai' } } }),
  turn: ({ prompt, session }) => ['--yolo', ...again(session), '-p', prompt],
  tools: { shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'As asked', is_background: false } }) },
}

function again(session) {
  if (session === undefined) return []
  return session === 'newest' ? ['--continue'] : ['--resume', session]
}
