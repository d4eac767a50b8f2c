/** Whether a tool call is one of ours: a program, an MCP tool or a skill of memU, or a read of its files. */
import { runsOurs } from './own-command.ts'
import type { OwnFiles } from './own-files.ts'

/** `mcp__memu__retrieve`, `memu_retrieve`, `memu.list`. */
const OUR_TOOL = /(?:^|[^a-z0-9])memu(?:[^a-z0-9]|$)/i
/** Tools whose text is a command line. Others may have text that looks like one: a patch, a search. */
const SHELL_TOOL = /bash|shell|exec|terminal|command|cmd|pwsh|powershell|console|process/i
const SKILL_FIELD = /^(?:skill|skill_?name)$/i
const SERVER_FIELD = /^(?:server|server_?name|mcp_?server)$/i
const COMMAND_FIELD = /^(?:commands?|command_?line|cmd|script)$/i
const ARGUMENTS_FIELD = /^(?:args|argv|arguments)$/i
const PATH_FIELD =
  /^(?:(?:absolute|file|target|relative|notebook|dir|directory|folder|base|search)_?)?(?:paths?|files?|file_?names?|uri|url|dir|directory|folder|cwd|workdir|working_?directory|notebook)$/i
/** The same, in input that is no JSON any more: cut off by its host. */
const FIELD = /"(\w{2,40})"\s*:\s*("(?:[^"\\]|\\.){1,4096}")/g
const MAX_DEPTH = 6

/** `name` is the tool's, `text` its command line or its input as JSON, `directory` where it runs, as far as the call says so. */
export type IsOwnCall = (name: string | undefined, text: string, directory?: string) => boolean

export function ownCall(files: OwnFiles, roots: readonly string[]): IsOwnCall {
  const hints = roots.map(tellingWord).filter((word) => word !== '')

  const isOwnLine = (line: string): boolean => runsOurs(line) || files.readsOwn(line)
  const isOwnField = (key: string, value: string): boolean => {
    if (PATH_FIELD.test(key)) return files.isOwn(value)
    if (COMMAND_FIELD.test(key)) return isOwnLine(value)
    if (SKILL_FIELD.test(key)) return /^(?:[\w-]+:)?memu(?:-|$)/i.test(value)
    return SERVER_FIELD.test(key) && OUR_TOOL.test(value)
  }

  return (name, text, directory) => {
    if (name !== undefined && OUR_TOOL.test(name)) return true
    // Paths in it are relative: whatever it does, it does there.
    if (directory !== undefined && files.isOwn(directory)) return true
    if (!/memu/i.test(text) && !hints.some((hint) => text.includes(hint))) return false
    if (/^\s*[[{]/.test(text) && text.includes('"')) {
      const input = parsed(text)
      if (input !== undefined) return anyField(input, isOwnField, 0)
      if (text.startsWith('{')) return [...text.matchAll(FIELD)].some(([, key = '', value = '']) => isOwnField(key, unquoted(value)))
    }
    return (name === undefined || SHELL_TOOL.test(name)) && isOwnLine(text)
  }
}

/** Of the name of a tree's folder the longest word: however the path is quoted and escaped, that stands in it. */
function tellingWord(root: string): string {
  const words =
    root
      .split(/[\\/]/)
      .filter(Boolean)
      .at(-1)
      ?.match(/[\p{L}\p{N}]+/gu) ?? []
  return words.sort((a, b) => b.length - a.length)[0] ?? ''
}

function anyField(value: unknown, test: (key: string, value: string) => boolean, depth: number, key = ''): boolean {
  if (typeof value === 'string') return key !== '' && test(key, value)
  if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return false
  if (Array.isArray(value)) {
    const items = COMMAND_FIELD.test(key) && value.every((item) => typeof item === 'string') ? commandLines(value) : value
    return items.some((item) => anyField(item, test, depth + 1, key))
  }
  return withCommandLine(Object.entries(value)).some(([name, field]) => anyField(field, test, depth + 1, name))
}

/** Words of one command line. Where the first has blanks they may also be command lines. */
function commandLines(words: readonly string[]): readonly string[] {
  return [words.map(quoted).join(' '), ...(/\s/.test(words[0] ?? '') ? words : [])]
}

/** Where the arguments stand in a field of their own, they and the program, if it is named, become one field. */
function withCommandLine(fields: readonly (readonly [string, unknown])[]): readonly (readonly [string, unknown])[] {
  const given = fields.find(([name, value]) => ARGUMENTS_FIELD.test(name) && isWords(value))?.[1]
  if (given === undefined) return fields
  const program = fields.find(([name, value]) => COMMAND_FIELD.test(name) && typeof value === 'string')
  const words = [...(program === undefined ? [] : [program[1]]), ...(given as readonly string[])]
  return [...fields.filter((field) => field !== program), ['command', words]]
}

function isWords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === 'string')
}

function quoted(word: string): string {
  return /^[\w@%+=:,./~-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined // A command line in braces, or input that was cut off: looked at as text.
  }
}

function unquoted(value: string): string {
  try {
    return String(JSON.parse(value))
  } catch {
    return value.slice(1, -1)
  }
}
