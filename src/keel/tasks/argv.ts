/** The words of a command as a POSIX shell splits them. Nothing is expanded but a leading `~/`: no variables, no patterns, no substitution. */
import type { System } from '../../util/system.ts'

/** Errors: a plain `Error` where a quote is not closed. An empty command has no words. */
export function splitCommand(command: string, { home, platform }: Pick<System, 'home' | 'platform'>): string[] {
  const found: string[] = []
  let word: string | undefined
  let at = 0
  while (at < command.length) {
    const character = command[at]!
    if (/\s/.test(character)) {
      if (word !== undefined) found.push(word)
      word = undefined
      at++
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(command, at, platform)
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (character === '\\' && platform !== 'win32') {
      // A line that goes on: the pair stands for nothing. At the very end it stands for itself.
      const next = command[at + 1]
      word = next === '\n' ? word : (word ?? '') + (next ?? '\\')
      at += 2
    } else if (character === '~' && word === undefined && /^~(?:[/\\\s]|$)/.test(command.slice(at))) {
      word = home
      at++
    } else {
      word = (word ?? '') + character
      at++
    }
  }
  if (word !== undefined) found.push(word)
  return found
}

/** Within single quotes everything stands for itself; within double ones a backslash is dropped before `"`, `\`, `$`, a backtick and a line's end. */
function readQuoted(command: string, start: number, platform: NodeJS.Platform): { readonly text: string; readonly end: number } {
  const quote = command[start]!
  let text = ''
  for (let at = start + 1; at < command.length; at++) {
    const character = command[at]!
    if (character === quote) return { text, end: at + 1 }
    const next = command[at + 1]
    // On Windows a backslash separates folders, and a path may not hold a quote.
    if (quote === '"' && character === '\\' && platform !== 'win32' && next !== undefined && '"\\$`\n'.includes(next)) {
      if (next !== '\n') text += next
      at++
    } else text += character
  }
  throw new Error(`a ${quote === '"' ? 'double' : 'single'} quote is not closed`)
}

/**
 * What of a command's own arguments may be a secret: what follows an option of such a name (`--api-token X`), and all else but for the names of
 * options and paths (`--password=X`, `-pX`, `X`). The name of the program is none.
 */
export function argvSecrets([, ...args]: readonly string[]): string[] {
  return args.flatMap((argument, index) => {
    if (SECRET_OPTION.test(args[index - 1] ?? '')) return [argument]
    const value = valueIn(argument)
    return [...value].length >= LEAST_SECRET && !PATH.test(value) ? [value] : []
  })
}

const SECRET_OPTION = /^-+[\w-]*(?:token|key|secret|pass)[\w-]*$/i

/** What a person calls the tool of a command: the file that is run, by whatever interpreter. */
export function toolName(argv: readonly string[]): string {
  const file = argv.find((word) => PATH.test(word)) ?? argv[0]!
  return file.replace(/^.*[/\\]/s, '')
}

/** Characters. What is shorter is found in every other word. */
const LEAST_SECRET = 4
const PATH = /^(?:~|\.{1,2}|[a-z]:)?[/\\][^=]*$|\.(?:[cm]?[jt]s|py|sh|rb|pl|exe|cmd|bat|ps1)$/i

function valueIn(argument: string): string {
  const named = /^(?:--?)?[\w.-]+=(|.*[^=].*)$/s.exec(argument)
  if (named !== null) return named[1]!
  if (argument.startsWith('--')) return ''
  return /^-\w/.test(argument) ? argument.slice(2) : argument
}
