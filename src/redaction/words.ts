/**
 * Pairs of letters that stand in the words of European languages and of programs, by first letter: the 200 most frequent of those in
 * English documents and code. Nineteen of twenty pairs of a real word are among them, one of three in random letters.
 */
const PAIRS =
  'abcdgiklmnprstuvwxy baeloruy caehiklorstuy dadeiosuy eabcdefghilmnprstuvwxyz faefilortu gaehiloprsu haeiortuy iabcdefgklmnoprstvxz jeosua keinsy ladefiklostuy mabeimopsuy nabcdefgiknostuvyz obcdfgiklmnoprstuvwx paehiloprstu qu racdefgikmnopqrstuvy sacehiklmnopqstuy tacehilorstuwy uabcdegilmnprst vaeio waehiinors xptaei ynpstaem zaeo'
const IS_PAIR = pairTable()

function pairTable(): Uint8Array {
  const table = new Uint8Array(26 * 26)
  for (const [first, ...seconds] of PAIRS.split(' '))
    for (const second of seconds) table[pairOf(first!.charCodeAt(0), second.charCodeAt(0))] = 1
  return table
}

function pairOf(first: number, second: number): number {
  return (first - 97) * 26 + (second - 97)
}

/** Words put together as identifiers and file names are: `current-password`, `userPassword2`, `AUTH_TOKEN`, `a.b.c`. */
export function isWords(value: string): boolean {
  const words = wordsOf(value)
  let letters = 0
  let pronounceable = 0
  for (const word of words) {
    letters += word.length
    if (isPronounceable(word)) pronounceable += word.length
  }
  const digits = value.replace(/\D/g, '').length
  if (letters === 0 || (digits > 2 && digits * 5 > value.length)) return false
  return pronounceable >= letters * 0.7
}

/** The words of an identifier, in lower case. */
export function wordsOf(value: string): string[] {
  return value
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .filter(Boolean)
    .map((word) => word.toLowerCase())
}

/** Three letters or more, with a vowel, and most of their pairs are those of words. */
function isPronounceable(word: string): boolean {
  if (word.length < 3 || !/[aeiouy]/.test(word)) return false
  let known = 0
  for (let at = 1; at < word.length; at++) known += IS_PAIR[pairOf(word.charCodeAt(at - 1), word.charCodeAt(at))]!
  return known >= (word.length - 1) * 0.7
}
