/** What went wrong, in a sentence, and what to do about it. Pure; the page in the browser uses it too. */
export interface Notice {
  readonly message: string
  readonly hint?: string
  /** The setting that it is about. */
  readonly key?: string
}

/** Labels of the settings that are fields of the page: who reads it there looks for these, and not for variables. */
export const FIELDS: Readonly<Record<string, string>> = {
  KEEL_AI_BACKEND: 'Proposals from',
  KEEL_AI_MODEL: 'Model',
  KEEL_AI_URL: 'Address of the model server',
  KEEL_TASKS: 'Tasks from',
  KEEL_TODOIST_FILTER: 'Filter of Todoist',
  KEEL_KNOWLEDGE_FILE: 'Goals',
  KEEL_MEMU: 'What memU knows',
  KEEL_SCREEN_TIME: 'Screen time',
  KEEL_MEMORY: 'Memory',
  KEEL_AW_URL: 'Address of ActivityWatch',
}

/** Characters of a word; a list of folders is no sentence. */
const LONGEST_WORD = 100
/** Characters of a message that is read at a glance. */
const LONGEST_MESSAGE = 240

/** The variables of settings under the names that they have on the page; one that is to be set in the environment is meant itself. */
export function inPageWords(text: string): string {
  return text.replace(/\bKEEL_[A-Z_]+\b(?! in the environment)/g, (name) => (Object.hasOwn(FIELDS, name) ? `“${FIELDS[name]}”` : name))
}

/** As an alert says it. */
export interface AlertWords {
  readonly error: string
  /** What `error` is cut from, where it is too long for a sentence; else empty. */
  readonly full: string
  readonly hint: string
}

export function alertWords(notice: Omit<Notice, 'key'> | undefined): AlertWords {
  const message = inPageWords(notice?.message ?? '')
  const error = shortened(message)
  return { error, full: error === message ? '' : message, hint: inPageWords(notice?.hint ?? '') }
}

function shortened(message: string): string {
  const words = message.split(' ')
  const long = words.findIndex((word) => word.length > LONGEST_WORD)
  const kept = (long === -1 ? words : words.slice(0, long)).join(' ')
  if (kept === message && message.length <= LONGEST_MESSAGE) return message
  const short = kept.length <= LONGEST_MESSAGE ? kept : kept.slice(0, kept.lastIndexOf(' ', LONGEST_MESSAGE))
  return short === '' ? `${message.slice(0, LONGEST_WORD)}…` : `${short} …`
}

/** Both in one paragraph; empty where nothing went wrong. */
export function problemWords(notice: Notice | undefined): string {
  return inPageWords([notice?.message, notice?.hint].filter((words) => words !== undefined && words !== '').join(' '))
}
