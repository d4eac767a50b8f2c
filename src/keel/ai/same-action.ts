/** Whether two actions are one, said a little differently. Pure. */

/** They tie a sentence together, or say only that something is done. */
const FILLERS = new Set(
  'a an and at by do for from go have in into it my now of off on or out some take the then this to up with your'.split(' '),
)

/** `for 10 minutes`, `2 h`: how long is not what. */
const SPAN = /(?<![\p{L}\p{N}])\d+(?:\s*[-–]\s*\d+)?\s*(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)(?![\p{L}\p{N}])/gu

/** Scripts that put no blanks between words. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u

/**
 * Three quarters of what the shorter one says stand in the other one, too, which is not four times as long. Where one of them says nothing
 * of its own ("go out"): only the same words. Meaning is not understood here: "phone mum" and "call mum" are two.
 */
export function isSameAction(a: string, b: string): boolean {
  const [left, right] = [telling(a), telling(b)]
  const [few, many] = left.size <= right.size ? [left, right] : [right, left]
  if (few.size === 0) return plain(a) === plain(b)
  const shared = [...few].filter((word) => many.has(word)).length
  return shared / few.size >= 0.75 && few.size * 4 >= many.size
}

/** The same words, whatever their case, the blanks between them and the marks around them. A sign that says something is a word: C++ is not C. */
export function isSameWording(a: string, b: string): boolean {
  return plain(a) === plain(b)
}

function telling(text: string): Set<string> {
  const found = words(normalised(text).replace(SPAN, ' '))
  return new Set(found.filter((word) => !FILLERS.has(word)).flatMap((word) => (UNSPACED.test(word) ? pairs(word) : [stem(word)])))
}

/** All of its words, with the signs in and beside them; where there are none, its marks. */
function plain(text: string): string {
  const parts = normalised(text)
    .replace(/\p{Pd}/gu, '-')
    .replace(/:\s+/g, ':')
    .split(/\s+/)
    .map((part) => part.replace(AROUND, ''))
    .filter((part) => part !== '' && part !== '-')
  // Task tools get a blank behind a sign that they would read as something else.
  return parts.join(' ').replace(/(?<=[#@+~*]) /g, '') || text.trim()
}

/** Marks of a sentence at the ends of a word. */
const AROUND = /^[.,;:!?…"“”„‚‘’«»‹›()[\]{}¿¡]+|[.,;:!?…"“”„‚‘’«»‹›()[\]{}]+$/g

function words(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
}

function normalised(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/['’]/g, '')
}

/** Each two neighbours, since nothing says where a word ends. */
function pairs(run: string): string[] {
  const characters = [...run]
  return characters.length < 2 ? characters : characters.slice(1).map((character, index) => characters[index] + character)
}

/** `plants` is `plant`, `walking` is `walk`: enough to compare with. */
function stem(word: string): string {
  return word.replace(/(?<=\p{L}{4})ing$/u, '').replace(/(?<=\p{L}{3})(?<!s)s$/u, '')
}
