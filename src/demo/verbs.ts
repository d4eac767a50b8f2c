/** The forms of English verbs that questions need. */

/** Verbs of two syllables that double their last letter all the same. */
const DOUBLED = /(?:commit|permit|submit|refer|defer|omit)$/
const ONE_SYLLABLE = /^[^aeiou]*[aeiou][^aeiouwxy]$/

/** "commit" → "committing", "force-push" → "force-pushing", "use" → "using". */
export function gerund(verb: string): string {
  const last = verb.split('-').at(-1) ?? verb
  if (/[^eoy]e$/.test(last)) return `${verb.slice(0, -1)}ing`
  return DOUBLED.test(last) || ONE_SYLLABLE.test(last) ? `${verb}${verb.at(-1)}ing` : `${verb}ing`
}

/** "wakes" → "wake", "passes" → "pass", "carries" → "carry". */
export function infinitive(verb: string): string {
  if (/ies$/.test(verb)) return `${verb.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|zz|o)es$/.test(verb)) return verb.slice(0, -2)
  return verb.replace(/s$/, '')
}
