/** The code that an interpreter is given on its command line: which commands it runs, and which paths it names. */
import type { Invocation } from './invocations.ts'

export const INTERPRETER = /^(?:python[\d.]*|py|node|nodejs|deno|bun|tsx|ruby|perl|php)$/
/** What follows is code. */
export const CODE_OPTION = /^(?:-[a-zA-Z]{0,3}[ceEp]|--eval|--print)$/
const STRING = /(["'`])((?:\\.|(?!\1)[^\\\n]){1,2000})\1/g
/** What stands before a string that is a command line, or the first word of one. */
const RUNS =
  /(?:\b(?:exec\w{0,20}|spawn\w{0,20}|system|popen|run|call|check_output|check_call|getoutput|execa|cmd|command|args)|\$)["']?\s{0,4}[(:=]{0,2}\s{0,4}\[?\s{0,4}[bfru]{0,2}$/i

/** Command lines in the code of an invocation. */
export function runsInCode(invocation: Invocation): string[] {
  return codeOf(invocation).flatMap(commandsIn)
}

/** Paths in it: strings that are nothing else. */
export function pathsInCode(invocation: Invocation): string[] {
  return codeOf(invocation).flatMap(stringsIn).filter(isPath)
}

/** Command lines that a program text runs. */
export function commandsIn(code: string): string[] {
  return [...code.matchAll(STRING)].flatMap(({ index, 2: text = '' }) => {
    const before = code.slice(Math.max(index - 60, 0), index)
    return RUNS.test(before) ? [text.replace(/\\(["'`\\])/g, '$1')] : []
  })
}

/** Paths that a program text names. */
export function pathsIn(code: string): string[] {
  return stringsIn(code).filter(isPath)
}

function stringsIn(code: string): string[] {
  return [...code.matchAll(STRING)].map(([, , text = '']) => text)
}

function isPath(text: string): boolean {
  return /[/\\]/.test(text) && !/\s/.test(text)
}

function codeOf({ program, words, documents }: Invocation): string[] {
  if (!INTERPRETER.test(program)) return []
  const option = words.findIndex(({ text }) => CODE_OPTION.test(text))
  const given = option < 0 ? undefined : words[option + 1]?.text
  return [...(given === undefined ? [] : [given]), ...documents]
}
