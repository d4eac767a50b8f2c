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

/** What of a command is a secret by its name: `--api-token X`, `--password=X`. */
export function argvSecrets(argv: readonly string[]): string[] {
  return argv.flatMap((word, index) => {
    const flag = /^-+[\w-]*(?:token|key|secret|pass)[\w-]*(?:=(.*))?$/is.exec(word)
    const secret = flag === null ? undefined : (flag[1] ?? argv[index + 1])
    return secret === undefined || secret === '' ? [] : [secret]
  })
}
