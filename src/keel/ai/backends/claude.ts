/** Claude Code, started for one answer: no tools, no session of its own, and nothing of the user's set-up but the login and the model. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MemuError } from '../../../util/errors.ts'
import type { System } from '../../../util/system.ts'
import type { Backend } from '../backend.ts'
import { jsonObjects } from '../json-objects.ts'
import type { AiSettings } from '../settings.ts'
import { type AgentAnswer, type AgentProgram, howItEnded, inAgentFolders, runAgent, spoken, tooOld } from './agent-program.ts'

/** In place of that of a coding agent, which is long and asks for code. */
const SYSTEM_PROMPT = 'You answer one question. You have no tools. Your answer is one JSON object and nothing else.'

/** Starts nothing yet. Errors of `ask`: as the port; `ai_unavailable` also for a version whose tools could not be turned off. */
export function claudeBackend({ model, program }: AiSettings, system: System): Backend {
  const agent = {
    name: 'claude',
    title: 'Claude Code',
    program: program || 'claude',
    system,
    // As `--safe-mode`, which versions that do not know it would refuse: without hooks, plugins, servers, skills and CLAUDE.md.
    env: { CLAUDE_CODE_SAFE_MODE: '1' },
  }
  return {
    name: agent.name,
    destination: { name: agent.title, kind: 'program' },
    ask: (prompt, { signal, onSent }) =>
      inAgentFolders(async ({ work, files }) => {
        // A file: on Windows the command interpreter takes no argument with quotes.
        const settings = join(files, 'settings.json')
        writeFileSync(settings, '{"disableAllHooks":true}', { mode: 0o600 })
        const args = [
          '--print',
          '--no-session-persistence',
          '--strict-mcp-config',
          '--disable-slash-commands',
          ...['--output-format', 'json'],
          ...['--tools', ''],
          ...['--settings', settings],
          ...['--system-prompt', SYSTEM_PROMPT],
          ...(model ? ['--model', model] : []),
        ]
        const answer = await runAgent(agent, args, { cwd: work, input: prompt, signal, onSent })
        return textOf(answer, prompt, agent)
      }),
  }
}

/** The program says that it failed in its report, under whatever `subtype`, and not always by its exit code. */
function textOf(answer: AgentAnswer, prompt: string, agent: AgentProgram): string {
  const { env } = agent.system
  const report = reportIn(answer.output)
  if (report === undefined)
    throw tooOld(agent, answer) ?? new MemuError('ai_failed', `Claude Code gave no report and ${howItEnded(answer, prompt, { env })}`)
  const text = typeof report.result === 'string' ? report.result : ''
  if (report.is_error !== true && report.subtype === 'success') return text
  throw failure(spoken(text, { env }) || spoken(String(report.subtype), { env }), Boolean(env.ANTHROPIC_API_KEY))
}

function reportIn(output: string): Readonly<Record<string, unknown>> | undefined {
  for (const candidate of jsonObjects(output)) if (candidate.type === 'result') return candidate
  return undefined
}

function failure(words: string, hasKey: boolean): MemuError {
  if (/log ?in|logged in|api key|authenticat|oauth|\b401\b/i.test(words)) {
    return new MemuError('ai_unavailable', `Claude Code is not logged in: ${words}`, {
      hint: hasKey ? KEY_HINT : 'Run claude in a terminal and log in.',
    })
  }
  const isMoney = /credit|balance|billing|quota|usage limit|limit reached/i.test(words)
  return new MemuError('ai_failed', `Claude Code failed: ${words}`, hasKey && isMoney ? { hint: KEY_HINT } : {})
}

const KEY_HINT = 'ANTHROPIC_API_KEY is set where keeld runs, and goes before a login: take it out to use the login.'
