/** What settings call by a short word, as a person calls it. Pure; the page in the browser uses it too. */

const PROPOSERS: Readonly<Record<string, string>> = {
  builtin: 'Built-in rules',
  claude: 'Claude Code',
  codex: 'Codex',
  ollama: 'Ollama',
  openai: 'Model server',
}

/** A name that is not known stays as it is. */
export function proposerName(name: string): string {
  return Object.hasOwn(PROPOSERS, name) ? PROPOSERS[name]! : name
}

export function tasksName(name: string): string {
  return name === 'none' ? 'None' : name
}

/** A choice of a setting: what it is called, and what follows from it. */
export interface ChoiceWords {
  readonly label: string
  readonly means?: string
}

const ON_OFF = { on: { label: 'On' }, off: { label: 'Off' } }

/** By the setting's key and the value. */
const CHOICES: Readonly<Record<string, Readonly<Record<string, ChoiceWords>>>> = {
  ai_backend: {
    builtin: { label: 'Built-in rules', means: 'Nothing leaves this machine.' },
    claude: { label: 'Claude Code', means: 'What Keel sends goes to Claude Code, and from there over the network to its provider.' },
    codex: { label: 'Codex', means: 'What Keel sends goes to Codex, and from there over the network to its provider.' },
    ollama: { label: 'Ollama', means: 'What Keel sends goes to the address below; without one to Ollama on this machine.' },
    openai: {
      label: 'OpenAI, or a server like it',
      means: 'What Keel sends goes to the address below; without one over the network to OpenAI (https://api.openai.com).',
    },
  },
  tasks: {
    auto: { label: 'The first that is set up here' },
    marvin: { label: 'Amazing Marvin, or a script of yours' },
    taskwarrior: { label: 'Taskwarrior' },
    'todo-txt': { label: 'todo.txt' },
    todoist: { label: 'Todoist' },
    none: { label: 'None', means: 'What you confirm is remembered, and added nowhere.' },
  },
  memory: {
    auto: { label: 'This machine and ActivityWatch' },
    local: { label: 'This machine alone' },
    none: { label: 'ActivityWatch alone', means: 'Without ActivityWatch nothing is remembered.' },
  },
  memu: ON_OFF,
  screen_time: ON_OFF,
}

/** A value that is not known is its own label. */
export function choiceWords(key: string, value: string): ChoiceWords {
  const ofKey = Object.hasOwn(CHOICES, key) ? CHOICES[key]! : {}
  return Object.hasOwn(ofKey, value) ? ofKey[value]! : { label: value }
}
