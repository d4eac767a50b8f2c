/** Which files below a folder can be sessions, by their names alone. */

/** What a session file is called; a document of `.json` may hold a conversation. */
const LINES = /\.(?:jsonl|ndjson)$/i
const DOCUMENT = /\.json$/i
/** Beside the sessions: settings, indexes, packages. */
const BESIDE =
  /^(?:settings|config|package|package-lock|tsconfig|sessions?-index|manifest|models?|mcp|hooks|state)(?:\.[\w-]+)*\.json$|\.(?:settings|meta|config|schema)\.json$/i
/** Keys lie in documents with such names: they are never opened. Not asked of lines, which nobody keeps keys in. */
const KEYS = /^\.?(?:[a-z]+[-_.])?(?:auth|oauth|creds?|credentials?|secrets?|tokens?|cookies?|keys?|accounts?)(?:[-_.][a-z]+)?\.json$/i
/** Folders in which no program keeps sessions, and some keep a million files. */
const NOT_HERE: ReadonlySet<string> = new Set([
  ...['node_modules', '.git', '__pycache__', 'site-packages', 'cache', 'Cache', 'extensions', 'plugins'],
  ...['credentials', 'secrets'],
])

/** Whether a file of this name may be a session. */
export function isLogName(name: string): boolean {
  if (name.startsWith('.') || KEYS.test(name)) return false
  return LINES.test(name) || (DOCUMENT.test(name) && !BESIDE.test(name))
}

/** Whether it is read as one document, not line by line. */
export function isDocument(path: string): boolean {
  return DOCUMENT.test(path)
}

export function isLogFolder(name: string): boolean {
  return !NOT_HERE.has(name)
}

/** The name without what says how it is read. */
export function withoutExtension(name: string): string {
  return name.replace(LINES, '').replace(DOCUMENT, '')
}
