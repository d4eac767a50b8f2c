import { join } from 'node:path'

/** @type {import('../agents.mjs').Agent} */
export const claudeCode = {
  host: 'claude-code',
  binary: 'memu-claude-code',
  title: 'Claude Code',
  package: '@anthropic-ai/claude-code',
  version: '2.1.197',
  program: 'claude',
  tree: (home) => join(home, '.memu', 'hosts', 'claude-code'),
  logs: (home) => join(home, '.claude', 'projects'),
  sessionVariable: 'CLAUDE_CODE_SESSION_ID',
  environment: ({ url }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
  }),
  commands: {
    start: ['-p', '--allowedTools', 'Bash'],
    resume: ['-c', '-p', '--allowedTools', 'Bash'],
    reopen: (session) => ['--resume', session, '-p', '--allowedTools', 'Bash'],
    headless: ['-p', '--permission-mode', 'acceptEdits', '--allowedTools', 'Bash', 'Read', 'Write', 'Edit'],
  },
  tools: {
    shell: (command) => ({ name: 'Bash', input: { command, description: 'As asked' } }),
    read: (path) => ({ name: 'Read', input: { file_path: path } }),
    write: (path, text) => ({ name: 'Write', input: { file_path: path, content: text } }),
    // `Read` puts the number of each line and a tab before it.
    contents: (result) => result.replace(/^ *\d+\t/gm, ''),
    output: (result) => result,
  },
}
