/** Whether a tool call is one of ours: a program, an MCP tool or a skill of memU, or a read of its files. */
import { COMMAND_FIELD, type Field, inputFields } from './call-input.ts'
import { runsOurs } from './own-command.ts'
import type { OwnFiles } from './own-files.ts'
import { commandsIn, pathsIn } from './program-text.ts'

/** What tools and skills of ours do; other people's tools may have our name in front. */
const DEED =
  '(?:retrieve|recall|search|query|remember|memori[sz]e|memory|forget|list|show|get|read|add|commit|prepare|bridge|doctor|detect)'
/** `mcp__memu__retrieve`, `mcp__plugin_memu_memu__list`, `memu_retrieve`, `memu.memory_list`. */
const OUR_TOOL = new RegExp(`^(?:mcp_{1,2}(?:plugin_)?(?:memu_)?memu__|mcp_memu_${DEED}|memu__|memu[._:/-]${DEED})`, 'i')
const OUR_SKILL = new RegExp(`^/?(?:[\\w-]+:)?memu(?:-${DEED}(?:-|$)|$)`, 'i')
const OUR_SERVER = /^(?:plugin[:_])?(?:memu[:_])?memu$/i
/** Tools whose text is a command line. Others may have text that looks like one: a patch, a search. */
const SHELL_TOOL = /bash|shell|exec|terminal|command|cmd|pwsh|powershell|console|process/i
/** Codex's `exec` takes a program that calls tools; PowerShell may call .NET. */
const PROGRAM_TEXT = /\btools\.\w+\(|\[(?:System\.)?IO\.File\]::/
const CODE_FIELD = /^(?:code|source_code|javascript|python)$/i
const SKILL_FIELD = /^(?:skill|skill_?name)$/i
const SERVER_FIELD = /^(?:server|server_?name|mcp_?server)$/i
const PATH_FIELD =
  /^(?:(?:absolute|file|target|relative|notebook|dir|directory|folder|base|search)_?)?(?:paths?|files?|file_?names?|uri|url|dir|directory|folder|cwd|workdir|working_?directory|notebook)$/i

/** `name` is the tool's, `text` its command line or its input as JSON, `directory` where it runs, as far as the call says so. */
export type IsOwnCall = (name: string | undefined, text: string, directory?: string) => boolean

export function ownCall(files: OwnFiles, roots: readonly string[]): IsOwnCall {
  const hints = roots.map(tellingWord).filter((word) => word !== '')

  const isOwnLine = (line: string): boolean => runsOurs(line) || files.readsOwn(line)
  const isOwnCode = (code: string): boolean => commandsIn(code).some(isOwnLine) || pathsIn(code).some((path) => files.isOwn(path))
  const isOwnField = ({ name: key, value }: Field): boolean => {
    if (PATH_FIELD.test(key)) return files.isOwn(value) || /^memu:\/\//i.test(value)
    if (COMMAND_FIELD.test(key)) return isOwnLine(value)
    if (CODE_FIELD.test(key)) return isOwnCode(value)
    if (/^glob$/i.test(key)) return !value.startsWith('!') && files.isOwn(value)
    if (SKILL_FIELD.test(key)) return OUR_SKILL.test(value)
    return SERVER_FIELD.test(key) && OUR_SERVER.test(value)
  }

  return (name, text, directory) => {
    if (name !== undefined && OUR_TOOL.test(name)) return true
    // Paths in it are relative: whatever it does, it does there.
    if (directory !== undefined && files.isOwn(directory)) return true
    if (!/memu/i.test(text) && !hints.some((hint) => text.includes(hint))) return false
    const fields = inputFields(text)
    if (fields !== undefined) {
      if (/glob/i.test(name ?? '') && fields.some((field) => field.name === 'pattern' && files.isOwn(field.value))) return true
      return fields.some(isOwnField)
    }
    if (/skill/i.test(name ?? '')) return OUR_SKILL.test(text)
    return (name === undefined || SHELL_TOOL.test(name)) && (isOwnLine(text) || (PROGRAM_TEXT.test(text) && isOwnCode(text)))
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
