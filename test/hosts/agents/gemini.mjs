import { join } from 'node:path'
import { writeSettings } from '../settings.mjs'

/** @type {import('../agents.mjs').Agent} */
export const gemini = {
  host: 'gemini',
  binary: 'memu-gemini',
  title: 'Gemini CLI',
  package: '@google/gemini-cli',
  version: '0.61.0',
  program: 'gemini',
  tree: (home) => join(home, '.memu', 'hosts', 'gemini'),
  logs: (home) => join(home, '.gemini', 'tmp'),
  environment: ({ url }) => ({
    GEMINI_API_KEY: 'not-a-key',
    GOOGLE_GEMINI_BASE_URL: url,
    // Else it does not start without a person.
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  // Without the type it takes one that it then refuses, where the address is another one than Google's.
  settle: ({ home }) => writeSettings(join(home, '.gemini', 'settings.json'), { security: { auth: { selectedType: 'gemini-api-key' } } }),
  // Without a model it asks one which model to take.
  // It names sessions by their number or as the newest of the folder, and each conversation has a folder.
  turn: ({ prompt, session }) => ['-m', 'gemini-2.5-flash', '--yolo', ...(session ? ['--resume', 'latest'] : []), '-p', prompt],
  tools: { shell: (command) => ({ name: 'run_shell_command', input: { command, description: 'As asked' } }) },
}
