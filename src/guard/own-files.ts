/** Whether a path, or a command line that names one, leads into a tree of memU: what lies there is memory, or on its way to be. */
import { type Invocation, invocations } from './invocations.ts'
import { pathsInCode } from './program-text.ts'
import type { Word } from './shell-words.ts'

/**
 * The folder below every home, whoever's and on whatever machine: relative paths and variables need not be resolved to see it. A project
 * may have one of its own, with other things in it.
 */
const HOME_TREE = /(?:^|\/|[{,])\.memu(?:[},]|\/|$)/i
const HOME =
  /^(?:~|\$\w*|\$\{\w+\}|\$env:\w+|%\w+%|\/(?:[a-z]\/)?(?:home|users)\/[^/]+|\/root|[a-z]:\/users\/[^/]+|\/mnt\/[a-z]\/users\/[^/]+)$/i
const IN_TREE =
  /^(?:$|\.|.*[*?[{]|(?:memory|skill|view|hosts|jobs|sessions|nonce|cache|models)$|(?:resources\.md|config\.env|bridging\.[\w-]+\.log)$|(?:memory|memu)\.(?:db|sqlite))/i
const BARE_NAME = /^\.memu$/i

export interface OwnFiles {
  isOwn(path: string): boolean
  /** Also where it only changes into the tree: the paths behind that are relative. */
  readsOwn(commandLine: string): boolean
}

/** `roots` are trees that lie elsewhere (`--base-dir`), absolute; `home` is what `~` and `$HOME` mean in paths to them. */
export function ownFiles(roots: readonly string[], home: string): OwnFiles {
  const trees = roots.map((root) => normal(root, home)).filter((root) => !HOME_TREE.test(root) && root.length > 1)
  const isOwn = (path: string): boolean => {
    const place = normal(path, home)
    return isInHomeTree(place, home) || trees.some((tree) => place === tree || place.startsWith(`${tree}/`))
  }
  return {
    isOwn,
    readsOwn: (line) =>
      invocations(line).some(
        (invocation) =>
          pathWords(invocation).some((word) => leadsThere(word, isOwn)) || pathsInCode(invocation).some((path) => isOwn(path)),
      ),
  }
}

function isInHomeTree(place: string, home: string): boolean {
  const found = HOME_TREE.exec(place)
  if (found === null) return false
  const above = place.slice(0, found.index)
  return HOME.test(above) || above === normal('~', home) || IN_TREE.test(place.slice(found.index + found[0].length).split('/')[0] ?? '')
}

function leadsThere({ text, raw, quoted }: Word, isOwn: (path: string) => boolean): boolean {
  // In quotes a shell leaves `~` alone, in single ones `$` too: then it is a word about the path.
  if (quoted !== 'no' && text.startsWith('~')) return false
  if (quoted === 'single' && text.startsWith('$')) return false
  // With blanks in it a word is a path only where it begins like one: otherwise it is a sentence that names one.
  return [text, raw, optionValue(text)].some((path) => (!/\s/.test(path) || PATH.test(path)) && isOwn(path))
}

const PATH = /^(?:[/~.$%\\]|[A-Za-z]:[\\/]|file:)/

/** Of `--file=~/x` and `@~/x` the path. */
function optionValue(word: string): string {
  return /^(?:--?[\w-]+=|@)(.+)$/s.exec(word)?.[1] ?? ''
}

/** Commands whose words are text and no paths, or that print nothing of what lies there. */
const TELLS = /^(?:echo|printf|print|write-host|write-output|export|set|alias|which|where|man|test|\[{1,2}|du|df|mkdir|chmod|chown)$/
/** Commands to which a bare `.memu` is a folder to look into, and no name. */
const LOOKS = /^(?:cd|pushd|ls|dir|cat|tree|set-location|[efz]?grep|rg|ag|ack|head|tail|less|tar)$/
/** Commands whose first word is a pattern or a script. */
const SEARCHES = /^(?:[efz]?grep|rg|ag|ack|sed|gsed|awk|gawk|jq|yq|perl|findstr|select-string)$/
/** Options that take a name or a pattern. */
const NAMES = /^(?:-i?name|-i?path|-i?regex|-g|--i?glob|--exclude(?:-dir)?|--include|--ignore|-m|--message)$/

/** The words that may be paths, targets of redirections among them. */
function pathWords({ program, name, words, files }: Invocation): Word[] {
  if (TELLS.test(program)) return [...files]
  const operands: Word[] = []
  let pattern = SEARCHES.test(program) ? 1 : program === 'git' && words[0]?.text === 'grep' ? 2 : 0
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as Word
    if (word.quoted === 'no' && NAMES.test(word.text)) at++
    else if (NAMES.test(/^(--?[\w-]+)=/.exec(word.text)?.[1] ?? '')) continue
    else if (word.text.startsWith('-') && !word.text.includes('=')) {
      // `-e PATTERN`, `-f FILE`: then no operand is the pattern.
      if (pattern === 1 && /^(?:-e|--regexp)$/.test(word.text)) at++
      if (/^(?:-e|--regexp|-f|--file)$/.test(word.text)) pattern = 0
    } else if (pattern > 0) pattern--
    else operands.push(word)
  }
  // `find .memu -exec cat`, but not `find . -name .memu`.
  const looks = LOOKS.test(program) || (program === 'find' && operands[0]?.text === '.memu')
  return [...operands.filter((word) => !BARE_NAME.test(word.text) || looks), ...files, ...(name === undefined ? [] : [name])]
}

/** Forward slashes, the home in full, no `.`, `..` or doubled slashes; what cannot be resolved stays. */
function normal(path: string, home: string): string {
  const full = path
    .trim()
    .replaceAll('\\', '/')
    .replace(/^file:\/\/(?:localhost)?(?=\/)/i, '')
    .replace(/^(?:~|\$HOME|\$\{HOME\}|\$env:(?:USERPROFILE|HOME)|%USERPROFILE%)(?=\/|$)/i, home.replaceAll('\\', '/'))
  const parts: string[] = []
  for (const part of full.split('/')) {
    if (part === '.' || (part === '' && parts.length > 0)) continue
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..' && parts.at(-1) !== '') parts.pop()
    else parts.push(part)
  }
  const joined = parts.join('/')
  return /^[a-z]:\//i.test(joined) ? joined.toLowerCase() : joined
}
