/** Which programs a command line runs in the end, behind `sudo`, `npx`, `node`, `bash -lc "…"` and the like. */
import { type SimpleCommand, shellCommands, type Word } from './shell-words.ts'

export interface Invocation {
  /** The last part of its path, in lower case; empty where only redirections stand. */
  readonly program: string
  readonly words: readonly Word[]
  /** Targets of redirections, and those of them that are written anew. */
  readonly files: readonly Word[]
  readonly outputs: readonly Word[]
}

/** What runs the command that follows it: how many words of its own come first, and which of its options take a word. */
interface Wrapper {
  readonly operands?: number
  readonly valued?: RegExp
  /** With one of these options it asks about the command and runs nothing: `command -v memu`. */
  readonly asking?: RegExp
  /** Only with one of these as its first word: `npm exec`, but not `npm install`. */
  readonly verbs?: RegExp
}

const RUNNERS: Wrapper = { valued: /^(?:-p|--package|-C|--prefix|--dir|--filter|-F)$/ }
const PACKAGES: Wrapper = { ...RUNNERS, verbs: /^(?:exec|x|dlx|run)$/ }
const NODE: Wrapper = { valued: /^(?:-r|--require|--import|--loader|--env-file|-C|--conditions)$/ }

const WRAPPERS: Readonly<Record<string, Wrapper>> = {
  env: { valued: /^(?:-u|--unset|-C|--chdir|-S)$/ },
  sudo: { valued: /^-[ughpCTUrt]$/ },
  doas: { valued: /^-[uC]$/ },
  time: { valued: /^-[fo]$/ },
  timeout: { operands: 1, valued: /^(?:-k|-s|--kill-after|--signal)$/ },
  gtimeout: { operands: 1, valued: /^(?:-k|-s)$/ },
  nice: { valued: /^-n$/ },
  ionice: { valued: /^-[cnp]$/ },
  stdbuf: { valued: /^-[ioe]$/ },
  exec: { valued: /^-a$/ },
  xargs: { valued: /^-[aEdILnPs]$/ },
  watch: { valued: /^(?:-n|--interval)$/ },
  strace: { valued: /^-[eopsuE]$/ },
  nohup: {},
  command: { asking: /^-p?[vV]/ },
  builtin: {},
  setsid: {},
  caffeinate: {},
  unbuffer: {},
  winpty: {},
  call: {},
  start: {},
  wsl: { valued: /^(?:-d|-u|--cd)$/ },
  npx: RUNNERS,
  pnpx: RUNNERS,
  bunx: RUNNERS,
  npm: PACKAGES,
  pnpm: PACKAGES,
  yarn: PACKAGES,
  bun: PACKAGES,
  volta: { verbs: /^run$/ },
  node: NODE,
  nodejs: NODE,
  tsx: NODE,
  deno: { verbs: /^run$/ },
}

const SHELLS = /^(?:(?:ba|z|da|k|a|fi)?sh|cmd|powershell|pwsh)$/
/** What follows is a command line: `-c`, `-lc`, PowerShell's `-Command`, cmd's `/c`. */
const SCRIPT_OPTION = /^(?:-[a-z]*c|-command|--command|\/[ck])$/i
const RESERVED = new Set(['if', 'then', 'elif', 'else', 'while', 'until', 'do', '!', '{', '}', '&', 'coproc'])
const ASSIGNMENT = /^[A-Za-z_]\w*=/
/** Shells in shells; deeper ones are not looked into. */
const MAX_DEPTH = 6

export function invocations(line: string, depth = 0): Invocation[] {
  return depth > MAX_DEPTH ? [] : shellCommands(line).flatMap((command) => unwrapped(command, depth))
}

function unwrapped({ words, files, outputs, documents }: SimpleCommand, depth: number): Invocation[] {
  const redirected: Invocation[] = files.length === 0 ? [] : [{ program: '', words: [], files, outputs }]
  const script = (line: string): Invocation[] => [...redirected, ...invocations(line, depth + 1)]
  let at = 0
  for (;;) {
    while (at < words.length && (RESERVED.has(text(words, at)) || ASSIGNMENT.test(text(words, at)))) at++
    const word = words[at]
    if (word === undefined) return redirected
    const program = programName(word)
    if (program === 'eval') return script(rest(words, at + 1))
    if (SHELLS.test(program)) {
      const scripts = scriptsOf(words, at + 1, documents)
      if (scripts.length > 0) return scripts.flatMap(script)
    }
    const wrapper = WRAPPERS[program]
    const next = wrapper === undefined ? undefined : wrapped(words, at + 1, wrapper)
    if (next === undefined) return [{ program, words: words.slice(at + 1), files, outputs }]
    // `npx -c "memu retrieve x"`, `env -S "memu retrieve x"`: the command line is one word.
    const options = words.slice(at + 1, next)
    const line = options.findIndex((option) => /^(?:-c|--call|-S)$/.test(option.text))
    if (line >= 0 && options[line + 1] !== undefined) return script(text(options, line + 1))
    at = next
  }
}

/** Where the command that a wrapper runs begins; undefined where it runs none. */
function wrapped(words: readonly Word[], start: number, { operands = 0, valued, verbs, asking }: Wrapper): number | undefined {
  let at = start
  let left = operands
  let verb = verbs === undefined
  for (; at < words.length; at++) {
    const word = text(words, at)
    if (word.startsWith('-')) {
      if (asking?.test(word)) return undefined
      if (valued?.test(word) || /^(?:-c|--call)$/.test(word)) at++
    } else if (!verb) {
      if (!verbs?.test(word)) return undefined
      verb = true
    } else if (left > 0) left--
    else return at
  }
  return at
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
