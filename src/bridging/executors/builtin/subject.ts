/** What a statement says something of. By rules: what stands before the verb, or before the first preposition of an order. */
import { type Token, tokens } from './tokens.ts'

/** Verbs that say what something is, has or takes, where it is, or what is chosen. What follows them may change. */
const VERB =
  /(?<![\w'-])(?:is|are|was|were|be|am|has|have|had|should|must|can|may|will|use[sd]?|using|prefers?|likes?|loves?|hates?|dislikes?|wants?|needs?|keeps?|picks?|choose|chose|go(?:es)?|runs?|lives?|sits?|listens?|takes?|lasts?|costs?|equals|switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)|chang(?:ed|ing)|upgrad(?:ed|ing)|decided|agreed|settled|stick)(?![\w'-])/i
/** Not "of": "the owner of search" is one thing. */
const PREPOSITION =
  /(?<!\S)(?:on|in|at|to|into|with|without|for|by|from|under|below|above|over|after|before|within|until|every|per|via|through|against|as|instead|than)(?!\S)/i
const SUBORDINATE = /\s(?:because|since|so|that|which|when|whenever|while|if|unless|where)\s/i
/** When it begins to hold is not what it is about. */
const SINCE = /^(?:as of|from|since|starting) (?:now on|today|tomorrow|(?:next |this )?(?:week|month|year|sprint))(?: on)?,? /i
/** "we're", "let's", "doesn't": a pronoun or an auxiliary, in short. */
const SHORT = /(?<![\w'’-])(?:(?:i|we|you|they|it|he|she|that|there|let)['’](?:m|re|s|ve|d|ll)|\w+n['’]t)(?!\w)/gi

/**
 * The words of the subject of a first clause, in order; none for "we use …". Of "Vitest is our test runner", where all that precedes the verb
 * `isName`, it is the test runner.
 */
export function subjectIn(clause: string, isName: (token: Token) => boolean): Token[] {
  const main = clause.replace(SINCE, '').replace(SHORT, '').split(SUBORDINATE, 1)[0] ?? ''
  const verb = VERB.exec(main)
  const before = tokens(main.slice(0, verb?.index ?? PREPOSITION.exec(main)?.index))
  const role = verb && /^(?:is|are) (?:now )?(?:our|my|the) ([\w -]+)/i.exec(main.slice(verb.index))?.[1]
  return role && before.length > 0 && before.every(isName) ? tokens(role) : before
}
