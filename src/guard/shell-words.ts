/**
 * A command line as a shell would read it: which programs it runs with which words. Enough of sh, and of PowerShell and cmd where they
 * differ, to tell a program that runs from a word that only looks like one. Anything is accepted; nothing is ever executed.
 */

export interface Word {
  /** With quotes and escapes resolved, as a POSIX shell does. */
  readonly text: string
  /** Without its quotes and with its backslashes: what a Windows shell makes of it. */
  readonly raw: string
  /** A leading `~` or `$` stands for itself. */
  readonly quoted: 'no' | 'single' | 'double'
}

export interface SimpleCommand {
  readonly words: readonly Word[]
  /** Targets of redirections. */
  readonly files: readonly Word[]
  /** Those of them that are written anew. */
  readonly outputs: readonly Word[]
  /** The bodies of its here-documents. */
  readonly documents: readonly string[]
}

/** Substitutions in substitutions; what lies deeper is not looked at. */
const MAX_DEPTH = 8

/** Every simple command of the line, those in subshells and substitutions included, in no particular order. */
export function shellCommands(line: string): SimpleCommand[] {
  const commands: SimpleCommand[] = []
  scan(line, 0, undefined, commands, 0)
  return commands
}

interface Heredoc {
  readonly end: string
  readonly indented: boolean
  readonly into: string[]
}

/** Reads from `start` to `stop` or the end of the line; gives the place behind it. */
function scan(line: string, start: number, stop: ')' | '`' | undefined, commands: SimpleCommand[], depth: number): number {
  let at = start
  let words: Word[] = []
  let files: Word[] = []
  let outputs: Word[] = []
  let documents: string[] = []
  let word: { text: string; raw: string; quoted: Word['quoted'] } | undefined
  let redirects: 'to' | 'other' | undefined
  const waiting: Heredoc[] = []

  const add = (text: string, raw = text, quoted: Word['quoted'] = 'no'): void => {
    word ??= { text: '', raw: '', quoted }
    word.text += text
    word.raw += raw
  }
  const endWord = (): void => {
    if (word === undefined) return
    ;(redirects === undefined ? words : files).push(word)
    if (redirects === 'to') outputs.push(word)
    redirects = undefined
    word = undefined
  }
  const endCommand = (): void => {
    endWord()
    redirects = undefined
    if (words.length + files.length > 0) commands.push({ words, files, outputs, documents })
    words = []
    files = []
    outputs = []
    documents = []
  }
  /** Commands inside `$(…)` and the like; the word has nothing of their output. */
  const nested = (from: number, end: ')' | '`'): number => {
    add('')
    return depth < MAX_DEPTH ? scan(line, from, end, commands, depth + 1) : line.length
  }

  while (at < line.length) {
    const char = line[at] as string
    if (char === stop) {
      endCommand()
      return at + 1
    }
    if (char === "'") {
      const end = line.indexOf("'", at + 1)
      const text = line.slice(at + 1, end < 0 ? line.length : end)
      add(text, text, 'single')
      at = end < 0 ? line.length : end + 1
    } else if (char === '"') {
      add('', '', 'double')
      at = inDoubleQuotes(line, at + 1, add, nested)
    } else if (char === '\\') {
      const next = line[at + 1] ?? ''
      if (next === '\r' && line[at + 2] === '\n') at++
      else if (next !== '\n') add(next, `\\${next}`)
      at += 2
    } else if (char === '`' && line.indexOf('`', at + 1) >= 0) {
      at = nested(at + 1, '`')
    } else if (line.startsWith('$(', at) || line.startsWith('<(', at) || line.startsWith('>(', at)) {
      at = nested(at + 2, ')')
    } else if (line.startsWith('<<', at) && line[at + 2] !== '<') {
      endWord()
      const found = HEREDOC.exec(line.slice(at, at + 100))
      if (found !== null) waiting.push({ end: found[2] ?? found[3] ?? found[4] ?? '', indented: found[1] === '-', into: documents })
      at += found?.[0].length ?? 2
    } else if (char === '<' || char === '>' || (char === '&' && line[at + 1] === '>')) {
      if (word !== undefined && /^\d+$/.test(word.text)) word = undefined // `2>`
      endWord()
      const operator = /^(?:&>>?|<<<|<>|[<>]&-?|>>|>\||[<>])/.exec(line.slice(at, at + 3))?.[0] ?? char
      at += operator.length
      redirects = /^(?:&?>|>\|)$/.test(operator) ? 'to' : 'other'
    } else if (char === '\n') {
      endCommand()
      at++
      for (const document of waiting.splice(0)) at = takeDocument(line, at, document)
    } else if (char === ' ' || char === '\t' || char === '\r') {
      endWord()
      at++
    } else if (char === '#' && word === undefined) {
      const end = line.indexOf('\n', at)
      at = end < 0 ? line.length : end
    } else if (char === '(' && depth < MAX_DEPTH) {
      endCommand()
      at = scan(line, at + 1, ')', commands, depth + 1)
    } else if (';|&()'.includes(char)) {
      endCommand()
      at++
    } else {
      add(char)
      at++
    }
  }
  endCommand()
  return at
}

const HEREDOC = /^<<(-?)[ \t]*(?:'([^'\n]*)'|"([^"\n]*)"|\\?([^\s;|&<>()]+))/

/** Up to the closing quote, and the place behind it. */
function inDoubleQuotes(
  line: string,
  start: number,
  add: (text: string, raw?: string) => void,
  nested: (from: number, end: ')' | '`') => number,
): number {
  let at = start
  while (at < line.length) {
    const char = line[at] as string
    if (char === '"') return at + 1
    if (char === '\\' && '"\\$`\n'.includes(line[at + 1] ?? ' ')) {
      const next = line[at + 1] as string
      add(next === '\n' ? '' : next, `\\${next}`)
      at += 2
    } else if (line.startsWith('$(', at)) {
      at = nested(at + 2, ')')
    } else if (char === '`' && line.indexOf('`', at + 1) >= 0) {
      at = nested(at + 1, '`')
    } else {
      add(char)
      at++
    }
  }
  return at
}

function takeDocument(line: string, start: number, { end, indented, into }: Heredoc): number {
  let at = start
  while (at < line.length) {
    const newline = line.indexOf('\n', at)
    const next = newline < 0 ? line.length : newline + 1
    const text = line.slice(at, newline < 0 ? line.length : newline).replace(/\r$/, '')
    if ((indented ? text.replace(/^\t+/, '') : text) === end) {
      into.push(line.slice(start, at))
      return next
    }
    at = next
  }
  into.push(line.slice(start))
  return at
}
