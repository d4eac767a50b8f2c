/**
 * Codex, started for one answer: read-only, without tools and servers, and without a session of its own. The user's own AGENTS.md is
 * there still: nothing turns it off, and a CODEX_HOME of ours would part the login from the lock (auth.lock) under which it is renewed.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemuError } from '../../../util/errors.ts'
import type { System } from '../../../util/system.ts'
import type { Backend } from '../backend.ts'
import type { AiSettings } from '../settings.ts'
import { type AgentProgram, howItEnded, inAgentFolders, runAgent, tooOld } from './agent-program.ts'

/** What it can do beside talking. A version that does not know a name says so and goes on. */
const OFF = ['shell_tool', 'unified_exec', 'multi_agent', 'goals', 'hooks', 'plugins', 'apps', 'memories', 'image_generation', 'view_image']
  .map((feature) => `features.${feature}=false`)
  // Words without quotes are taken as they are, and the command interpreter of Windows takes no quotes.
  .concat(['web_search=disabled', 'project_doc_max_bytes=0', 'skills.include_instructions=false', 'include_environment_context=false'])

const ANSWER_LIMIT = 1024 * 1024

/** Starts nothing yet. `ask` starts it twice: once for the names of its servers. Errors: as the port. */
export function codexBackend({ model, program }: AiSettings, system: System): Backend {
  const agent = { name: 'codex', title: 'Codex', program: program || 'codex', system }
  return {
    name: agent.name,
    destination: { name: agent.title, kind: 'program' },
    ask: (prompt, { schema, signal, onSent }) =>
      inAgentFolders(async ({ work, files }) => {
        const schemaFile = join(files, 'schema.json')
        const answerFile = join(files, 'answer.json')
        writeFileSync(schemaFile, JSON.stringify(schema), { mode: 0o600 })
        const off = [...OFF, ...(await serversOff(agent, work, signal))]
        const args = [
          'exec',
          '--ephemeral',
          '--skip-git-repo-check',
          ...['--sandbox', 'read-only'],
          ...['--color', 'never'],
          ...['--output-schema', schemaFile],
          ...['--output-last-message', answerFile],
          ...off.flatMap((setting) => ['-c', setting]),
          ...(model ? ['--model', model] : []),
          '-', // The prompt comes on standard input, which is closed behind it: an open one is waited for without end.
        ]
        const end = await runAgent(agent, args, { cwd: work, input: prompt, signal, onSent })
        const answer = readAnswer(answerFile)
        if (end.code === 0 && answer !== '') return answer
        throw failure(howItEnded(end, prompt, system), tooOld(agent, end))
      }),
  }
}

/**
 * Codex adds its configuration up, so that servers of the user's are only turned off one by one, by their names. Without the list nobody
 * knows what the model could reach through them: then it is not asked. Errors: `ai_failed`.
 */
async function serversOff(agent: AgentProgram, cwd: string, signal: AbortSignal): Promise<string[]> {
  const { code, output } = await runAgent(agent, ['mcp', 'list', '--json'], { cwd, input: '', signal })
  try {
    if (code !== 0) throw new Error('no list')
    const servers = JSON.parse(output) as readonly { readonly name: unknown }[]
    const off = servers.map(({ name }) => {
      if (typeof name !== 'string') throw new Error('no name')
      return `${/^[\w-]+$/.test(name) ? name : JSON.stringify(name)}={enabled=false}`
    })
    // One table: a second one would take the place of the first.
    return off.length === 0 ? [] : [`mcp_servers={${off.join(',')}}`]
  } catch (cause) {
    throw new MemuError('ai_failed', 'Codex does not say which MCP servers it has, so that they cannot be turned off.', {
      hint: 'Try codex mcp list --json in a terminal, or update Codex.',
      cause,
    })
  }
}

function readAnswer(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false })
  // Longer than any proposal: it is left where it is, and the missing answer is the failure.
  if (found === undefined || !found.isFile() || found.size > ANSWER_LIMIT) return ''
  return readFileSync(path, 'utf8').trim()
}

function failure(how: string, old: MemuError | undefined): MemuError {
  if (old !== undefined) return old
  if (/log ?in|logged in|unauthori[sz]ed|\b401\b|api key/i.test(how)) {
    return new MemuError('ai_unavailable', `Codex is not logged in: it ${how}`, { hint: 'Run codex login in a terminal.' })
  }
  return new MemuError('ai_failed', `Codex gave no answer and ${how}`)
}
