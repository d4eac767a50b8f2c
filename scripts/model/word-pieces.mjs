/** The teacher's tokenizer, as far as single words and short lower-case glosses need it. */

/**
 * @param {Readonly<Record<string, number>>} vocabulary pieces to ids; a piece inside a word begins with `##`
 * @returns {(text: string) => number[]} ids with the marks of begin and end
 */
export function createTokenizer(vocabulary) {
  const id = (/** @type {string} */ piece) => vocabulary[piece]
  return (text) => {
    const words = text.toLowerCase().match(/[a-z0-9]+|[^\sa-z0-9]/g) ?? []
    return [id('[CLS]'), ...words.flatMap((word) => wordPieces(word, vocabulary)), id('[SEP]')]
  }
}

/** The longest known piece first, again and again. @param {string} word @param {Readonly<Record<string, number>>} vocabulary */
function wordPieces(word, vocabulary) {
  const ids = []
  for (let from = 0; from < word.length; ) {
    let to = word.length
    while (to > from && !Object.hasOwn(vocabulary, (from > 0 ? '##' : '') + word.slice(from, to))) to--
    if (to === from) return [vocabulary['[UNK]']]
    ids.push(vocabulary[(from > 0 ? '##' : '') + word.slice(from, to)])
    from = to
  }
  return ids
}
