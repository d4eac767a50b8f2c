/**
 * Agents without a program of their own of which it is known where they keep what. Only a hint: what lies there is looked at. A new
 * one is an entry here; one that is not here is found by what its folder holds.
 */
import { join } from 'node:path'
import type { System } from '../util/system.ts'
import { type Places, places } from './places.ts'

export interface KnownAgent {
  readonly name: string
  readonly title: string
  /** Where its folder may be; the first that exists counts. */
  readonly folders: (at: Places, env: System['env']) => readonly (string | undefined)[]
  /** Below the folder, where sessions lie; the whole folder where absent. */
  readonly sessions?: readonly string[]
  /** Files that it loads in every session; the first one would be made. Absent: none that is known. */
  readonly instructions?: (at: Places, folder: string) => readonly string[]
  /** Why nothing on this disk is its log, where that is so whatever lies there. */
  readonly unreadable?: string
  /** The command that makes a readable log of it. */
  readonly exports?: string
  /** The host whose program reads it. */
  readonly readBy?: string
}

const EDITORS = ['Code', 'Code - Insiders', 'VSCodium', 'Cursor', 'Windsurf'] as const

function editorStorage(extension: string): KnownAgent['folders'] {
  return ({ support }) => EDITORS.map((editor) => join(support, editor, 'User', 'globalStorage', extension))
}

export const KNOWN_AGENTS: readonly KnownAgent[] = [
  {
    name: 'claude-cowork',
    title: 'Claude Cowork',
    folders: ({ support }) => [join(support, 'Claude'), join(support, 'Claude-3p')],
    sessions: ['local-agent-mode-sessions'],
    readBy: 'claude-code',
  },
  {
    name: 'goose',
    title: 'Goose',
    folders: ({ data, support }, env) => [
      env.GOOSE_PATH_ROOT && join(env.GOOSE_PATH_ROOT, 'data'),
      join(data, 'goose'),
      join(support, 'Block', 'goose', 'data'),
    ],
    sessions: ['sessions'],
    instructions: ({ config }) => [join(config, 'goose', '.goosehints')],
  },
  {
    name: 'amp',
    title: 'Amp',
    folders: ({ data, config }) => [join(data, 'amp'), join(config, 'amp')],
    sessions: ['threads'],
    instructions: ({ config }) => [join(config, 'amp', 'AGENTS.md')],
    unreadable: 'it keeps its threads on its server',
    exports: 'amp threads export',
  },
  {
    name: 'kimi-code',
    title: 'Kimi Code',
    folders: ({ home }, env) => [env.KIMI_CODE_HOME, join(home, '.kimi-code')],
    sessions: ['sessions'],
  },
  { name: 'kimi', title: 'Kimi CLI', folders: ({ home }, env) => [env.KIMI_SHARE_DIR, join(home, '.kimi')], sessions: ['sessions'] },
  {
    name: 'cline',
    title: 'Cline',
    folders: ({ home }, env) => [env.CLINE_DIR, join(home, '.cline')],
    sessions: ['data/sessions'],
  },
  { name: 'cline-editor', title: 'Cline in the editor', folders: editorStorage('saoudrizwan.claude-dev'), sessions: ['tasks'] },
  {
    name: 'roo',
    title: 'Roo Code',
    folders: editorStorage('rooveterinaryinc.roo-cline'),
    sessions: ['tasks'],
    instructions: ({ home }) => [join(home, '.roo', 'rules', 'memu.md')],
  },
  {
    name: 'factory',
    title: 'Factory Droid',
    folders: ({ home }, env) => [env.FACTORY_DIR, join(home, '.factory')],
    sessions: ['sessions'],
    instructions: (_, folder) => [join(folder, 'AGENTS.md')],
  },
  { name: 'continue', title: 'Continue', folders: ({ home }) => [join(home, '.continue')], sessions: ['sessions'] },
  {
    name: 'windsurf',
    title: 'Windsurf',
    folders: ({ home }) => [join(home, '.codeium', 'windsurf')],
    sessions: ['cascade'],
    instructions: (_, folder) => [join(folder, 'memories', 'global_rules.md')],
  },
  {
    name: 'antigravity',
    title: 'Antigravity',
    folders: ({ home }) => [join(home, '.gemini', 'antigravity')],
    sessions: ['conversations'],
    instructions: ({ home }) => [join(home, '.gemini', 'GEMINI.md')],
  },
  { name: 'zed', title: 'Zed', folders: ({ data, support }) => [join(data, 'zed'), join(support, 'Zed')], sessions: ['threads'] },
  { name: 'crush', title: 'Crush', folders: ({ data, config }) => [join(data, 'crush'), join(config, 'crush')] },
  { name: 'amazon-q', title: 'Amazon Q', folders: ({ data, support }) => [join(data, 'amazon-q'), join(support, 'amazon-q')] },
  {
    name: 'aider',
    title: 'Aider',
    folders: ({ home }) => [join(home, '.aider')],
    unreadable: 'it keeps its history as markdown in each project (.aider.chat.history.md)',
  },
]

/** The folders of an agent that may be there, in order. */
export function foldersOf(agent: KnownAgent, system: System): string[] {
  return agent.folders(places(system), system.env).filter((folder) => folder !== undefined && folder !== '') as string[]
}
