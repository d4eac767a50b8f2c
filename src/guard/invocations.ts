/** Which programs a command line runs in the end, behind `sudo`, `npx`, `node`, `bash -lc "…"` and the like. */
import { CODE_OPTION, INTERPRETER } from './program-text.ts'
import { type SimpleCommand, shellCommands, type Word } from './shell-words.ts'
import { WRAPPERS, wrapped } from './wrappers.ts'

export interface Invocation {
  /** The last part of its path, in lower case; empty where only redirections stand. */
  readonly program: string
  readonly words: readonly Word[]
  /** What names it; absent where only redirections stand. */
  readonly name?: Word
  /** What it reads from here-documents. */
  readonly documents: readonly string[]
  /** Targets of redirections, and those of them that are written anew. */
  readonly files: readonly Word[]
  readonly outputs: readonly Word[]
}

const SHELLS = /^(?:(?:ba|z|da|k|a|fi)?sh|cmd|powershell|pwsh)$/
/** What follows is a command line: `-c`, `-lc`, PowerShell's `-Command`, cmd's `/c`. */
const SCRIPT_OPTION = /^(?:-[a-z]*c|-command|--command|\/[ck])$/i
const EVALUATES = /^(?:eval|iex|invoke-expression)$/
/** Wrappers whose `-c` takes a command line, and those of them where it may stand behind their operands. */
const TAKES_SCRIPT = /^(?:npx|pnpx|bunx|npm|pnpm|yarn|su|runuser|script|flock)$/
const AFTER_OPERANDS = /^(?:su|runuser|script|flock)$/
const RESERVED = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', '}', '&', 'coproc'])
const ASSIGNMENT = /^[A-Za-z_]\w*=/
/** Shells in shells; deeper ones are not looked into. */
const MAX_DEPTH = 6

export function invocations(line: string, depth = 0): Invocation[] {
  if (depth > MAX_DEPTH) return []
  const commands = resolved(shellCommands(line))
  const fed = fedScripts(commands).flatMap((script) => invocations(script, depth + 1))
  return [...commands.flatMap((command) => unwrapped(command, depth)), ...fed]
}

function unwrapped({ words, files, outputs, documents }: SimpleCommand, depth: number): Invocation[] {
  const redirected: Invocation[] = files.length === 0 ? [] : [{ program: '', words: [], files, outputs, documents: [] }]
  const script = (line: string): Invocation[] => [...redirected, ...invocations(line, depth + 1)]
  let at = 0
  let isWrapped = false
  for (;;) {
    while (at < words.length) {
      if (RESERVED.has(text(words, at)) || ASSIGNMENT.test(text(words, at))) at++
      else if (text(words, at) === 'function' || (text(words, at).startsWith('$') && text(words, at + 1) === '=')) at += 2
      else break
    }
    const word = words[at]
    if (word === undefined) return redirected
    const program = programName(word)
    if (EVALUATES.test(program)) return script(rest(words, at + 1))
    if (SHELLS.test(program)) {
      const scripts = scriptsOf(words, at + 1, documents)
      if (scripts.length > 0) return scripts.flatMap(script)
    }
    // `ssh host "memu retrieve x"`; a path may have blanks too.
    const line = isWrapped && /\s/.test(word.text) ? script(word.text) : []
    const wrapper = WRAPPERS[program]
    const next = wrapper === undefined ? undefined : wrapped(words, at + 1, wrapper)
    const command: Invocation = { program, name: word, words: words.slice(at + 1), files, outputs, documents }
    if (next === undefined) return [command, ...line, ...(program === 'find' ? executed(command.words, depth) : [])]
    // `npx -c "memu retrieve x"`, `su bob -c "…"`, `env -S "…"`: the command line is one word.
    const options = words.slice(at + 1)
    const option = options.findIndex(({ text }) => /^(?:--call|-S)$/.test(text) || (/^-[a-z]*c$/.test(text) && TAKES_SCRIPT.test(program)))
    const given =
      option >= 0 && option < Math.max(next - at - 1, AFTER_OPERANDS.test(program) ? Infinity : 0) ? options[option + 1] : undefined
    if (given !== undefined) return script(given.text)
    // What an interpreter is given as code.
    if (INTERPRETER.test(program) && (documents.length > 0 || options.some(({ text }) => CODE_OPTION.test(text)))) return [command]
    at = next
    isWrapped = true
  }
}

/** The commands of `find … -exec memu … ;`. */
function executed(words: readonly Word[], depth: number): Invocation[] {
  return words.flatMap(({ text }, at) => {
    if (!/^-(?:exec|ok)(?:dir)?$/.test(text)) return []
    const more = words.slice(at + 1)
    const end = more.findIndex(({ text }) => text === ';' || text === '+')
    return unwrapped({ words: end < 0 ? more : more.slice(0, end), files: [], outputs: [], documents: [] }, depth)
  })
}

/** With the variables and aliases of the line in their places. */
function resolved(commands: readonly SimpleCommand[]): readonly SimpleCommand[] {
  const values = new Map<string, string>()
  for (const { words } of commands) {
    const from = /^(?:export|local|declare|readonly|set|alias)$/.test(text(words, 0)) ? 1 : 0
    for (const { text } of words.slice(from)) {
      const [, name, value] = /^([A-Za-z_]\w*)=(.{1,1000})$/s.exec(text) ?? []
      if (name === undefined || value === undefined) break
      values.set(from === 1 && words[0]?.text === 'alias' ? name : `$${name}`, value)
    }
  }
  if (values.size === 0) return commands
  const replaced = (word: Word): Word => {
    if (word.quoted === 'single' || !word.text.includes('$')) return word
    const text = word.text.replace(/\$(?:(\w+)|\{(\w+)\})/g, (all, name, braced) => values.get(`$${name ?? braced}`) ?? all)
    return text === word.text ? word : { text, raw: text, quoted: 'no' }
  }
  return commands.map(({ words, files, ...command }) => {
    const named = words.map(replaced)
    const alias = named[0] && values.get(named[0].text)
    const first = alias === undefined ? [] : (shellCommands(alias)[0]?.words ?? [])
    return { ...command, words: first.length > 0 ? [...first, ...named.slice(1)] : named, files: files.map(replaced) }
  })
}

/** What a shell of the line gets to run from another command of it: `echo "…" | sh`, `bash -c "$(cat <<EOF …)"`, `cat > q.sh <<EOF …; sh q.sh`. */
function fedScripts(commands: readonly SimpleCommand[]): string[] {
  const isFed = commands.some(({ words, documents }, own) => {
    const at = words.findIndex((word) => SHELLS.test(programName(word)) || /^(?:source|\.)$/.test(word.text))
    if (at < 0 || at > 4 || documents.length > 0) return false
    const operand = words.slice(at + 1).find(({ text }) => !text.startsWith('-'))?.text ?? ''
    return operand === '' || commands.some(({ outputs }, other) => other !== own && outputs.some(({ text }) => text === operand))
  })
  if (!isFed) return []
  return commands.flatMap(({ words, documents }) => (/^(?:echo|printf)$/.test(text(words, 0)) ? [rest(words, 1)] : documents))
}

/** The command lines that a shell is given: `bash -lc "…"`, `cmd /c memu x`, a here-document. None where it runs a file. */
function scriptsOf(words: readonly Word[], start: number, documents: readonly string[]): readonly string[] {
  const option = words.findIndex((word, at) => at >= start && SCRIPT_OPTION.test(word.text))
  if (option < 0) return documents
  const [script, ...more] = words.slice(option + 1)
  if (script === undefined) return []
  // sh takes one word; PowerShell and cmd take all that follow.
  return more.length === 0 ? [script.text] : [script.text, rest(words, option + 1)]
}

/** The last part of its path, without the version that a package runner takes (`memu@latest`). */
function programName({ text: posix, raw }: Word): string {
  const path = /^(?:[A-Za-z]:|\\\\|\.{1,2}\\|~\\|%|\$env:)/i.test(raw) ? raw : posix
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  return name
    .replace(/@[^@]*$/, '')
    .replace(/\.exe$/i, '')
    .toLowerCase()
}

function text(words: readonly Word[], at: number): string {
  return words[at]?.text ?? ''
}

function rest(words: readonly Word[], from: number): string {
  return words
    .slice(from)
    .map((word) => word.text)
    .join(' ')
}
