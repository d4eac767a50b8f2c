/**
 * Cuts what a person typed into sentences, and leaves out what they did not say themselves: code, quoted lines, logs, stack
 * traces, diffs and tables, pasted mail.
 */
import { ownWords } from './own-words.ts'

/** Longer messages are mostly pasted; a person's own words stand at the beginning and at the end. */
const LONG_MESSAGE = 6_000
const OWN_PARAGRAPHS = 3
const OWN_SENTENCES = 40
/** Longer sentences are prose that no rule here reads reliably. */
const LONGEST_SENTENCE = 400
/** Text like this tries to steer whoever reads it; nothing of such a message is kept. */
const INJECTION =
  /\b(?:ignore|disregard|forget)\s+(?:all\s+|any\s+)?(?:of\s+)?(?:the\s+|your\s+)?(?:previous|prior|above|earlier)\b|<\/?system\b|^you are (?:a|an|the) [^.]*\bassistant\b|\bsystem prompt\b/i

/** The sentences of a message in order, without surrounding space and list marks. */
export function sentences(message: string): string[] {
  if (INJECTION.test(message)) return []
  const paragraphs = ownWords(withoutCode(message))
    .split(/\n\s*\n/)
    .filter((paragraph) => !isPasted(paragraph))
  const own =
    message.length > LONG_MESSAGE && paragraphs.length > 2 * OWN_PARAGRAPHS
      ? [...paragraphs.slice(0, OWN_PARAGRAPHS), ...paragraphs.slice(-OWN_PARAGRAPHS)]
      : paragraphs
  const said = own.flatMap((paragraph) => unwrapped(paragraph).flatMap(split)).filter((sentence) => sentence.length <= LONGEST_SENTENCE)
  return said.length <= 2 * OWN_SENTENCES ? said : [...said.slice(0, OWN_SENTENCES), ...said.slice(-OWN_SENTENCES)]
}

function withoutCode(message: string): string {
  return message.replace(/^[ \t]*(```|~~~)[^\n]*\n[\s\S]*?(?:^[ \t]*\1[ \t]*$|(?![\s\S]))/gm, '\n\n').replace(/\r/g, '')
}

/** A paragraph that opens with somebody else's words is theirs to its end. */
function isPasted(paragraph: string): boolean {
  const lines = paragraph.split('\n').filter((line) => line.trim() !== '')
  return lines.length > 0 && (/^\s*(?:>|diff --git |@@ )/.test(lines[0]!) || lines.filter(isMachineText).length * 2 >= lines.length)
}

const MACHINE_TEXT: readonly RegExp[] = [
  /^\s*(?:>|\||\+{1,3}\s|-{3}\s|@@|diff --git|\$ |# |\/\/|\/\*|\*\/)/,
  /^\s{4,}\S/,
  /^\s*(?:\[?\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}|\[?\d{2}:\d{2}:\d{2})/,
  /^\s*at .+[(:].*\d+:\d+\)?$/,
  /^\s*(?:npm (?:WARN|ERR|error|warn)|PASS|FAIL|ERROR|WARN|INFO|DEBUG|Traceback|File "|Caused by:)(?:\b|!|\s)/,
  /^\s*[A-Za-z]*(?:Error|Exception|Warning): /,
  /^\s*(?:const|let|var|function|import|export|class|return|def|from \S+ import|public|private)\s+[\w{*]/,
  /[;{}]\s*$|=>|\)\s*\{|<\/\w+>/,
  /^[+-](?![+-\s])\S.*$/,
]

function isMachineText(line: string): boolean {
  // "let's" and "let us" open decisions; they only look like a declaration.
  return !/^\s*let(?:'|’| us\b)/i.test(line) && MACHINE_TEXT.some((pattern) => pattern.test(line))
}

/** Lines that a person broke by hand are joined; list items and machine text stay apart. */
function unwrapped(paragraph: string): string[] {
  const result: string[] = []
  let open = false
  for (const line of paragraph.split('\n')) {
    const item = /^\s*(?:[-*•–]|\d{1,2}[.)])\s+/.exec(line)
    if (line.trim() === '' || (item === null && isMachineText(line))) {
      open = false
      continue
    }
    const text = line.slice(item?.[0].length ?? 0).trim()
    if (open && item === null && /^[a-z(]/.test(text)) result[result.length - 1] += ` ${text}`
    else result.push(text)
    open = true
  }
  return result
}

/** The ends of sentences: a mark, then space and something that can begin one; in Chinese and Japanese the mark alone. */
const BOUNDARY = /(?<=[.!?…]["')\]]?)(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|no|Mr|Dr|St)\.)\s+(?=["'([]?[\p{L}\p{N}`])|(?<=[。！？])/u

/** "Plain CSS it is. No Tailwind.": the second half says what the first one rules out. */
const SETTLED = /\b(it is(?: then)?)[.!]\s+(no [\w.+#-]+(?: [\w.+#-]+)?)(?=[.!]|$)/gi

function split(text: string): string[] {
  return text
    .replace(SETTLED, '$1, $2')
    .split(BOUNDARY)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
