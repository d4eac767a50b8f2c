/** Every setting of Keel: its name in the file, its environment variable, and who may change it. Plain data. */
import { AI_KEYS, BACKENDS } from '../ai/settings.ts'
import { DEFAULT_URL } from '../aw/address.ts'

export interface SettingRow {
  /** In `settings.json`. */
  readonly key: string
  /** Environment variable. */
  readonly env: string
  readonly label: string
  readonly help: string
  readonly default: string
  /** Other values are refused. */
  readonly choices?: readonly string[]
  /**
   * Why the page never changes it. `secret`: it is not even shown. `command`: it is run. `target`: a file that is written to. Whoever
   * reaches the page could otherwise run a program, or send a key elsewhere.
   */
  readonly guarded?: 'secret' | 'command' | 'target'
  /** An address that this secret is sent to: with the secret set, the page does not change the address. */
  readonly goesWith?: string
  /** Of a server. */
  readonly isAddress?: true
  /** A file that is read: from the page only the user's own notes. */
  readonly isNotes?: true
}

const ON_OFF = ['on', 'off'] as const

const ROWS = [
  {
    key: 'ai_backend',
    env: AI_KEYS.backend,
    label: 'Proposals from',
    help: 'Rules of our own, a program as you are logged in there, or a model server.',
    default: BACKENDS[0],
    choices: BACKENDS,
  },
  {
    key: 'ai_model',
    env: AI_KEYS.model,
    label: 'Model',
    help: 'Empty: the choice of the program or the server.',
    default: '',
  },
  {
    key: 'ai_url',
    env: AI_KEYS.url,
    label: 'Address of the model server',
    help: 'The brief is sent there. Empty: Ollama on this machine, or OpenAI itself (api.openai.com).',
    default: '',
    goesWith: 'ai_key',
    isAddress: true,
  },
  {
    key: 'ai_key',
    env: AI_KEYS.key,
    label: 'Key of the model server',
    help: 'For OpenAI and servers that speak like it.',
    default: '',
    guarded: 'secret',
  },
  {
    key: 'ai_program',
    env: AI_KEYS.program,
    label: 'Program',
    help: 'The path of Claude Code or Codex, where the name alone is not found.',
    default: '',
    guarded: 'command',
  },
  {
    key: 'tasks',
    env: 'KEEL_TASKS',
    label: 'Tasks from',
    help: 'They are part of every brief, and a confirmed proposal is added there.',
    default: 'auto',
    choices: ['auto', 'marvin', 'taskwarrior', 'todo-txt', 'todoist', 'none'],
  },
  {
    key: 'marvin_cmd',
    env: 'KEEL_MARVIN_CMD',
    label: 'Command of a task tool',
    help: 'Amazing Marvin’s, or a script of yours for any other tool.',
    default: '',
    guarded: 'command',
  },
  {
    key: 'marvin_token',
    env: 'KEEL_MARVIN_TOKEN',
    label: 'Token of Amazing Marvin',
    help: 'For its API, where no command is set.',
    default: '',
    guarded: 'secret',
  },
  {
    key: 'todo_txt',
    env: 'KEEL_TODO_TXT',
    label: 'todo.txt',
    help: 'The path of the file; empty: where todo.sh has it.',
    default: '',
    guarded: 'target',
  },
  {
    key: 'todoist_token',
    env: 'KEEL_TODOIST_TOKEN',
    label: 'Token of Todoist',
    help: 'From its settings, under Integrations.',
    default: '',
    guarded: 'secret',
  },
  {
    key: 'todoist_filter',
    env: 'KEEL_TODOIST_FILTER',
    label: 'Filter of Todoist',
    help: 'Which tasks go into a brief, as Todoist writes filters.',
    default: '',
  },
  {
    key: 'knowledge_path',
    env: 'KEEL_KNOWLEDGE_FILE',
    label: 'Goals',
    help: 'A text or markdown file with your goals, like ~/goals.md. It is part of every brief.',
    default: '',
    isNotes: true,
  },
  {
    key: 'memu',
    env: 'KEEL_MEMU',
    label: 'What memU knows',
    help: 'A few lines of what memU remembers of you in every brief, where it has a store on this machine.',
    default: 'on',
    choices: ON_OFF,
  },
  {
    key: 'screen_time',
    env: 'KEEL_SCREEN_TIME',
    label: 'Screen time',
    help: 'Today’s time at the screen in every brief, where ActivityWatch counts it.',
    default: 'on',
    choices: ON_OFF,
  },
  {
    key: 'memory',
    env: 'KEEL_MEMORY',
    label: 'Memory',
    help: 'Where it is kept what was proposed, and what you made of it.',
    default: 'auto',
    choices: ['auto', 'local', 'none'],
  },
  {
    key: 'aw_url',
    env: 'KEEL_AW_URL',
    label: 'Address of ActivityWatch',
    help: 'Where its server is.',
    default: DEFAULT_URL,
    goesWith: 'aw_api_key',
    isAddress: true,
  },
  {
    key: 'aw_api_key',
    env: 'KEEL_AW_API_KEY',
    label: 'Key of ActivityWatch',
    help: 'Only for a server elsewhere: that of this machine has it in its own configuration, where it is found.',
    default: '',
    guarded: 'secret',
  },
] as const satisfies readonly SettingRow[]

export type SettingKey = (typeof ROWS)[number]['key']

/** A task tool as `tasks` names it. */
export type TaskTool = Extract<(typeof ROWS)[number], { readonly key: 'tasks' }>['choices'][number]

/** In the order of the page. */
export const SETTINGS: readonly (SettingRow & { readonly key: SettingKey })[] = ROWS

/** Complete and effective: nothing is left to be looked up. Values are as they were given; the parts that use them check them. */
export type KeelSettings = Readonly<Record<SettingKey, string>>

export type SettingSource = 'environment' | 'file' | 'default'

/** Undefined where nothing is called so. */
export function settingRow(key: string): (SettingRow & { readonly key: SettingKey }) | undefined {
  return SETTINGS.find((row) => row.key === key)
}
