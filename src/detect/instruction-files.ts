/** The files through which an agent is told of its memory: what it loads in every session. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { expandHome } from '../util/home.ts'
import type { System } from '../util/system.ts'
import { type Places, places } from './places.ts'

type Where = (at: Places, env: System['env']) => string

/** Of the hosts that have a program: what each loads wherever it is started. Null: nothing outside a project. */
const OF_HOSTS: Readonly<Record<string, Where | null>> = {
  codex: ({ home }, env) => join(env.CODEX_HOME || join(home, '.codex'), 'AGENTS.md'),
  'claude-code': ({ home }, env) => join(env.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'CLAUDE.md'),
  cursor: null,
  openclaw: ({ home }, env) => join(env.OPENCLAW_STATE_DIR || join(home, '.openclaw'), 'workspace', 'AGENTS.md'),
  hermes: ({ home }, env) => join(env.HERMES_HOME || join(home, '.hermes'), 'SOUL.md'),
  workbuddy: ({ home }) => join(home, '.workbuddy', 'SOUL.md'),
  cola: ({ home }, env) => join(env.COLA_DATA_DIR || join(home, '.cola'), 'memory-bank', 'MEMORY.md'),
  gemini: ({ home }, env) => join(env.GEMINI_CLI_HOME || home, '.gemini', 'GEMINI.md'),
  qwen: ({ home }, env) => join(env.QWEN_HOME || join(home, '.qwen'), 'QWEN.md'),
  opencode: ({ config }) => join(config, 'opencode', 'AGENTS.md'),
  copilot: ({ home }, env) => join(env.COPILOT_HOME || join(home, '.copilot'), 'copilot-instructions.md'),
  pi: ({ home }, env) => join(env.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'AGENTS.md'),
}

/** What agents call such a file, where nothing else is known of them. */
const NAMES = ['AGENTS.md', 'CLAUDE.md', 'SOUL.md', 'GEMINI.md', 'QWEN.md'] as const
/** Below the agent's folder, where it lies. */
const BELOW = ['', 'workspace', 'agent'] as const

/** A host's file; null where it has none of its own; undefined where it is not known. */
export function instructionOf(host: string, system: System): string | null | undefined {
  if (!Object.hasOwn(OF_HOSTS, host)) return undefined
  const where = OF_HOSTS[host]
  return where ? expandHome(where(places(system), system.env), system.home) : null
}

/** Whether there is such a file already; a link to one is one, and is not followed. */
export function isThere(path: string): boolean {
  try {
    const found = fs.lstatSync(path, { throwIfNoEntry: false })
    return found !== undefined && (found.isFile() || found.isSymbolicLink())
  } catch {
    return false // A folder on the way that may not be entered: then it cannot be said to be there.
  }
}

/** An instruction file in the folder of an agent of which nothing is known. */
export function findInstruction(folder: string): string | undefined {
  return BELOW.flatMap((below) => NAMES.map((name) => join(folder, below, name))).find(isThere)
}
