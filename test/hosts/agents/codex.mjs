import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** @type {import('../agents.mjs').Agent} */
export const codex = {
  host: 'codex',
  binary: 'memu-codex',
  title: 'Codex',
  package: '@openai/codex',
  version: '0.171.0',
  program: 'codex',
  tree: (home) => join(home, '.memu'),
  logs: (home) => join(home, '.codex', 'sessions'),
  sessionVariable: 'CODEX_THREAD_ID',
  environment: ({ home }) => ({ CODEX_HOME: join(home, '.codex'), LOOPBACK_KEY: 'not-a-key' }),
  settle: ({ home, url }) => {
    mkdirSync(join(home, '.codex'), { recursive: true })
    writeFileSync(
      join(home, '.codex', 'config.toml'),
      `model = "gpt-5"
model_provider = "loopback"

[model_providers.loopback]
name = "loopback"
base_url = "${url}/v1"
wire_api = "responses"
env_key = "LOOPBACK_KEY"
`,
    )
  },
  commands: {
    start: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '-'],
    resume: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', 'resume', '--last', '-'],
    reopen: (session) => ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', 'resume', session, '-'],
    headless: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', '-'],
  },
  tools: {
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    read: (path) => ({ name: 'exec_command', input: { cmd: `cat '${path}'` } }),
    // The program takes a patch given to the shell for its own file tool.
    write: (path, text) => ({ name: 'exec_command', input: { cmd: `apply_patch <<'EOF'\n${patch(path, text)}\nEOF` } }),
    contents: (result) => afterHeader(result),
    output: (result) => afterHeader(result),
  },
}

/** `Add File` replaces a file that exists. */
function patch(path, text) {
  const lines = text.replace(/\n$/, '').split('\n')
  return ['*** Begin Patch', `*** Add File: ${path}`, ...lines.map((line) => `+${line}`), '*** End Patch'].join('\n')
}

/** `exec_command` heads its output with the exit code and the time it took. */
function afterHeader(result) {
  return result.replace(/^(?:Chunk ID|Wall time|Process exited|Original token count)[\s\S]*?^Output:\n/m, '')
}
