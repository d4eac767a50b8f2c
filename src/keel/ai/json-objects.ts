/** Finds JSON objects in text that has words around them. Pure. */

/** Braces that are tried as a beginning. A text of nothing but braces would cost the square of its length. */
const MOST_STARTS = 64

/** Each balanced `{…}` that is JSON, in the order in which they begin, those inside of others included. */
export function* jsonObjects(text: string): Generator<Readonly<Record<string, unknown>>> {
  let starts = 0
  for (let start = text.indexOf('{'); start >= 0 && starts < MOST_STARTS; start = text.indexOf('{', start + 1), starts++) {
    const end = endOfObject(text, start)
    if (end === undefined) continue
    try {
      yield JSON.parse(text.slice(start, end)) as Record<string, unknown>
    } catch {
      // Braces around something else: the next one may begin an object.
    }
  }
}

/** The index behind the brace that closes the one at `start`; braces in strings do not count. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (inString) {
      if (character === '\\') at++
      else if (character === '"') inString = false
    } else if (character === '"') inString = true
    else if (character === '{') depth++
    else if (character === '}' && --depth === 0) return at + 1
  }
  return undefined
}
