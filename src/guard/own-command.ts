/** Whether a command line runs a program of ours, however it is wrapped; a line that only speaks of one does not. */
import { type SimpleCommand, shellCommands, type Word } from './shell-words.ts'

/** `memu`, `memu-codex`, as a script of the package and as what npm makes of it on Windows. */
const OURS = /^memu(?:-[a-z0-9]+)*(?:\.(?:c?js|mjs|ts|cmd|ps1|exe|bat))?$/i

/** What runs the command that follows it: how many words of its own come first, and which of its options take a word. */
interface Wrapper {
  readonly operands?: number
  readonly valued?: RegExp
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
  xargs: { valued: /^-[aEdILnPsI]$/ },
  watch: { valued: /^(?:-n|--interval)$/ },
  strace: { valued: /^-[eopsuE]$/ },
  nohup: {},
  command: {},
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

export function runsOurs(line: string, depth = 0): boolean {
  return shellCommands(line).some((command) => isOurs(command, depth))
}

function isOurs({ words, documents }: SimpleCommand, depth: number): boolean {
  if (depth > MAX_DEPTH) return false
  let at = 0
  for (;;) {
    while (at < words.length && (RESERVED.has(text(words, at)) || ASSIGNMENT.test(text(words, at)))) at++
    const word = words[at]
    if (word === undefined) return false
    const name = programName(word)
    if (OURS.test(name)) return true
    if (name === 'eval') return runsOurs(rest(words, at + 1), depth + 1)
    if (SHELLS.test(name)) return isScriptOurs(words, at + 1, documents, depth)
    const wrapper = WRAPPERS[name]
    const next = wrapper === undefined ? undefined : wrapped(words, at + 1, wrapper)
    if (next === undefined) return false
    // `npx -c "memu retrieve x"`, `env -S "memu retrieve x"`: the command line is one word.
    const options = words.slice(at + 1, next)
    const line = options.findIndex((option) => /^(?:-c|--call|-S)$/.test(option.text))
    if (line >= 0 && options[line + 1] !== undefined) return runsOurs(text(options, line + 1), depth + 1)
    at = next
  }
}

/** Where the command that a wrapper runs begins; undefined where it runs none. */
function wrapped(words: readonly Word[], start: number, { operands = 0, valued, verbs }: Wrapper): number | undefined {
  let at = start
  let left = operands
  let verb = verbs === undefined
  for (; at < words.length; at++) {
    const word = text(words, at)
    if (word.startsWith('-')) {
      if (valued?.test(word) || /^(?:-c|--call)$/.test(word)) at++
    } else if (!verb) {
      if (!verbs?.test(word)) return undefined
      verb = true
    } else if (left > 0) left--
    else return at
  }
  return at
}

/** `bash -lc "…"`, `cmd /c memu x`, and a script that comes as a here-document. */
function isScriptOurs(words: readonly Word[], start: number, documents: readonly string[], depth: number): boolean {
  const option = words.findIndex((word, at) => at >= start && SCRIPT_OPTION.test(word.text))
  if (option >= 0) {
    const [script, ...more] = words.slice(option + 1)
    if (script === undefined) return false
    // sh takes one word; PowerShell and cmd take all that follow.
    return runsOurs(script.text, depth + 1) || (more.length > 0 && runsOurs(rest(words, option + 1), depth + 1))
  }
  return documents.some((document) => runsOurs(document, depth + 1))
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
