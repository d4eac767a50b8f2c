/** The real agent programs: which versions, how they are installed, and how each one is run and understood. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { run } from './run.mjs'

/**
 * @typedef {object} Agent
 * @property {string} host the name of memU's host
 * @property {string} binary memU's program for it
 * @property {string} title
 * @property {string} package
 * @property {string} version pinned: a newer one is a change to make on purpose
 * @property {string} program
 * @property {(home: string) => string} tree memU's working tree
 * @property {(home: string) => string} logs where the program keeps its session logs
 * @property {string} sessionVariable names the session to the program's tools
 * @property {(world: { home: string, url: string }) => Record<string, string>} environment
 * @property {(world: { home: string, url: string }) => void} [settle] writes the program's own settings
 * @property {{ start: string[], resume: string[], reopen: (session: string) => string[], headless: string[] }} commands the prompt
 *   comes on standard input; `resume` takes up the newest session of the folder, `reopen` the one named
 * @property {object} tools how the scripted model calls the program's tools, and what their results look like
 */

/** @type {Agent} */
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

/** @type {Agent} */
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

export const agents = [claudeCode, codex]

/**
 * Installs the pinned version into the cache folder, once.
 * @param {Agent} agent @param {string} cache
 * @returns {Promise<string>} the folder to put on PATH. Throws where the registry or the platform does not have it.
 */
export async function install(agent, cache) {
  const folder = join(cache, `${agent.package.replace('/', '-').replace('@', '')}-${agent.version}`)
  const bin = join(folder, 'node_modules', '.bin')
  const complete = join(folder, '.complete')
  if (existsSync(complete)) return bin
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // The programs unpack their binary in a script of their package; newer versions of npm want to be told that it may run.
  const manifest = { private: true, dependencies: { [agent.package]: agent.version }, allowScripts: { [agent.package]: true } }
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest)}\n`)
  const installed = await npm(
    ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--ignore-scripts=false'],
    folder,
  )
  if (installed.code !== 0) throw new Error(`npm could not install ${agent.package}@${agent.version}: ${firstLine(installed.stderr)}`)
  const version = await run([join(bin, agent.program), '--version'], { cwd: folder, env: process.env })
  if (!version.stdout.includes(agent.version)) throw new Error(`${agent.program} does not start here: ${firstLine(version.stderr)}`)
  writeFileSync(complete, '')
  return bin
}

/** npm as whoever started us has it, else from PATH. */
export function npm(args, cwd, env = process.env) {
  const cli = process.env.npm_execpath
  const command = cli === undefined ? [process.platform === 'win32' ? 'npm.cmd' : 'npm'] : [process.execPath, cli]
  return run([...command, ...args], { cwd, env, timeout: 600_000 })
}

/** Every session log of the program below `logs`. */
export function logFiles(agent, home) {
  const folder = agent.logs(home)
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith('.jsonl'))
    .map((name) => join(folder, name))
    .sort()
}

/** What went wrong, in one line: npm says so first, and last where its log is. */
export function firstLine(text) {
  return text
    .replace(/^npm (?:error|ERR!) /gm, '')
    .trim()
    .split('\n')
    .slice(0, 2)
    .join(', ')
}
