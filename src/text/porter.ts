/**
 * The Porter stemmer, without regular expressions: the two dozen of the usual implementation are compiled anew in every process, which
 * costs a prompt more than the stemming. A test holds it equal to the package `stemmer`.
 */
const VOWELS = 'aeiou'

const isVowel = (letter: string | undefined): boolean => letter !== undefined && VOWELS.includes(letter)
const isVowelOrY = (letter: string | undefined): boolean => letter === 'y' || isVowel(letter)

/** Where the leading consonants of a word end. */
function onset(word: string): number {
  if (isVowel(word[0])) return 0
  let at = 1
  while (at < word.length && !isVowelOrY(word[at])) at++
  return at
}

/** How often a run of vowels is followed by one of consonants: the m of Porter's rules. */
function measure(word: string): number {
  let count = 0
  for (let at = onset(word); at < word.length; count++) {
    at++
    while (isVowel(word[at])) at++
    if (at >= word.length) return count
    at++
    while (at < word.length && !isVowelOrY(word[at])) at++
  }
  return count
}

const hasVowel = (word: string): boolean => onset(word) < word.length

/** Consonants, a vowel, and a consonant other than w, x and y, as `hop`. */
function isShort(word: string): boolean {
  const at = onset(word)
  return at > 0 && at + 2 === word.length && !'aeiouwxy'.includes(word[at + 1]!)
}

/** The word without the longest of the endings that leaves at least one letter, and that ending. */
function cut(word: string, endings: readonly string[]): { readonly stem: string; readonly ending: string } | undefined {
  let longest: string | undefined
  for (const ending of endings) {
    if (word.length > ending.length && word.endsWith(ending) && ending.length > (longest?.length ?? 0)) longest = ending
  }
  return longest === undefined ? undefined : { stem: word.slice(0, -longest.length), ending: longest }
}

const STEP_2: Readonly<Record<string, string>> = {
  ational: 'ate',
  tional: 'tion',
  enci: 'ence',
  anci: 'ance',
  izer: 'ize',
  bli: 'ble',
  alli: 'al',
  entli: 'ent',
  eli: 'e',
  ousli: 'ous',
  ization: 'ize',
  ation: 'ate',
  ator: 'ate',
  alism: 'al',
  iveness: 'ive',
  fulness: 'ful',
  ousness: 'ous',
  aliti: 'al',
  iviti: 'ive',
  biliti: 'ble',
  logi: 'log',
}
const STEP_3: Readonly<Record<string, string>> = { icate: 'ic', ative: '', alize: 'al', iciti: 'ic', ical: 'ic', ful: '', ness: '' }
const STEP_4 = 'al ance ence er ic able ible ant ement ment ent ou ism ate iti ous ive ize'.split(' ')
const ENDINGS_2 = Object.keys(STEP_2)
const ENDINGS_3 = Object.keys(STEP_3)

/** The stem of a word of lower-case English letters. */
export function porter(word: string): string {
  if (word.length < 3) return word
  // A first y is a consonant; a capital is none of the vowels.
  const beginsWithY = word[0] === 'y'
  const stem = ending(beginsWithY ? `Y${word.slice(1)}` : word)
  return beginsWithY ? `y${stem.slice(1)}` : stem
}

function ending(word: string): string {
  return lastLetters(derivations(terminalY(pastAndPresent(plural(word)))))
}

function plural(word: string): string {
  if (cut(word, ['sses', 'ies']) !== undefined) return word.slice(0, -2)
  return word.length > 2 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word
}

function pastAndPresent(word: string): string {
  const eed = cut(word, ['eed'])
  if (eed !== undefined) return measure(eed.stem) > 0 ? word.slice(0, -1) : word
  const stem = cut(word, ['ed', 'ing'])?.stem
  if (stem === undefined || !hasVowel(stem)) return word
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  const last = stem.at(-1)!
  if (last === stem.at(-2) && !'aeiouylsz'.includes(last)) return stem.slice(0, -1)
  return isShort(stem) ? `${stem}e` : stem
}

function terminalY(word: string): string {
  const stem = cut(word, ['y'])?.stem
  return stem !== undefined && hasVowel(stem) ? `${stem}i` : word
}

function derivations(word: string): string {
  let result = word
  const second = cut(result, ENDINGS_2)
  if (second !== undefined && measure(second.stem) > 0) result = second.stem + STEP_2[second.ending]!
  const third = cut(result, ENDINGS_3)
  if (third !== undefined && measure(third.stem) > 0) result = third.stem + STEP_3[third.ending]!
  const fourth = cut(result, STEP_4)
  if (fourth !== undefined) return measure(fourth.stem) > 1 ? fourth.stem : result
  const ion = cut(result, ['sion', 'tion'])
  return ion !== undefined && measure(result.slice(0, -3)) > 1 ? result.slice(0, -3) : result
}

function lastLetters(word: string): string {
  const stem = cut(word, ['e'])?.stem
  const m = stem === undefined ? 0 : measure(stem)
  const result = stem !== undefined && (m > 1 || (m === 1 && !isShort(stem))) ? stem : word
  return result.endsWith('ll') && measure(result) > 1 ? result.slice(0, -1) : result
}
