/**
 * Cuts any text into words, the same for the text lane and the embedded model. One pass of bounded regular expressions, so
 * that hostile input costs as much as any other; ASCII text takes a cheaper expression than the rest.
 */

/** A longer run of characters is a blob (base64, a minified line): it is kept as one cut word, never split or stemmed. */
export const MAX_TERM = 64

/** Scripts written without spaces (and Hangul, whose words carry particles): searched by pairs of characters. */
const UNSPACED =
  '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3040-\\u30ff\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\u9fff\\uac00-\\ud7af\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'

const ASCII_WORD = /[a-z0-9]+(?:(?:_+|['.-])[a-z0-9]+)*/gi
const NON_ASCII = /[^\x00-\x7f]/
let anyWord: RegExp | undefined
let unspacedStart: RegExp | undefined

/** Names that only look like camelCase. */
const ONE_WORD = new Set(
  'devops github gitlab javascript typescript coffeescript linkedin mysql openai paypal postgresql pytorch tensorflow wordpress youtube'.split(
    ' ',
  ),
)

/** What follows an apostrophe without being a word of its own. */
const CLITICS = new Set(['d', 'll', 'm', 're', 's', 't', 've'])

export type Visit = (word: string, whole: boolean) => void

/**
 * Calls `visit` with every word in order, lower case, diacritics folded. A compound (`ERR_X9Q_42`, `dry-run`, `useState`)
 * comes whole first (`whole` is true) and then in its parts. Scripts without spaces come as overlapping pairs of characters.
 */
export function scanWords(text: string, visit: Visit): void {
  if (!NON_ASCII.test(text)) {
    for (const match of text.matchAll(ASCII_WORD)) visitMatch(match[0], text, match.index, visit)
    return
  }
  const normal = text.normalize('NFKC')
  // A run of bare accents folds to nothing.
  const emit: Visit = (word, whole) => {
    if (word !== '') visit(word, whole)
  }
  anyWord ??= wordPattern()
  for (const match of normal.matchAll(anyWord)) {
    if (isUnspaced(match[0])) visitPairs(match[0], emit)
    else visitMatch(match[0], normal, match.index, emit)
  }
}

/** Whether a word is a pair of characters out of a run without spaces. */
export function isPair(word: string): boolean {
  return NON_ASCII.test(word) && isUnspaced(word) && [...word].length === 2
}

function isUnspaced(word: string): boolean {
  unspacedStart ??= new RegExp(`^[${UNSPACED}]`, 'u')
  return unspacedStart.test(word)
}

function wordPattern(): RegExp {
  const letter = `(?:(?![${UNSPACED}])[\\p{L}\\p{M}\\p{N}])`
  return new RegExp(`[${UNSPACED}]+|\\p{Extended_Pictographic}|${letter}+(?:(?:_+|['’.-])${letter}+)*`, 'gu')
}

function visitPairs(run: string, visit: Visit): void {
  const characters = [...run]
  if (characters.length === 1) visit(run, false)
  for (let i = 1; i < characters.length; i++) visit(characters[i - 1]! + characters[i]!, false)
}

function visitMatch(match: string, text: string, at: number, visit: Visit): void {
  if (match.length === 1) visit(fold(match) + languageSign(text, at + 1), false)
  else if (!/['’]/.test(match)) visitCompound(match, visit)
  else if (!/n['’]t$/i.test(match)) visitContraction(match, visit) // don't, isn't, won't: stop words all of them.
}

function visitContraction(match: string, visit: Visit): void {
  for (const [i, piece] of match.split(/['’]/).entries()) {
    if (i === 0 || !CLITICS.has(piece.toLowerCase())) visitCompound(piece, visit)
  }
}

/** C++, C#, F#: the sign belongs to the name. */
function languageSign(text: string, at: number): string {
  return text.startsWith('++', at) ? '++' : text[at] === '#' ? '#' : ''
}

function visitCompound(word: string, visit: Visit): void {
  const parts = word.split(/_+|[.-]/)
  if (parts.length > 1) visit(fold(word), true)
  for (const part of parts) visitPart(part, visit)
}

function visitPart(part: string, visit: Visit): void {
  const word = fold(part)
  const humps = part.length > MAX_TERM || part === word || ONE_WORD.has(word) ? [part] : splitHumps(part)
  visit(word, humps.length > 1)
  if (humps.length > 1) for (const hump of humps) if (hump.length > 1) visit(fold(hump), false)
}

/** `parseHTTPHeader` → parse, HTTP, Header. `URLs` and `IDs` stay whole. */
function splitHumps(part: string): string[] {
  return part.split(/(?<=[a-z][0-9]?)(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z]{2})/)
}

/** Lower case without diacritics: é → e, İ → i, ß → ss; at most `MAX_TERM` code units. */
function fold(word: string): string {
  const lower = cut(word).toLowerCase()
  if (!NON_ASCII.test(lower)) return lower
  const bare = lower.normalize('NFD').replace(/[\u0300-\u036f\u0591-\u05c7\u064b-\u0652]/g, '')
  return cut(bare.replace(/[ßøłđæœς]/g, (letter) => LETTERS[letter]!).normalize('NFC'))
}

const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', ø: 'o', ł: 'l', đ: 'd', æ: 'ae', œ: 'oe', ς: 'σ' }

/** Never cuts a character in half. */
function cut(word: string): string {
  return word.length <= MAX_TERM ? word : word.slice(0, MAX_TERM).replace(/[\ud800-\udbff]$/, '')
}
