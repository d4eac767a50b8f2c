/** What a rule is, and the conditions that rules share. */
import type { Clause } from '../clause.ts'
import { CONTRAST, DEFINITE_ONE_OFF, DEICTIC, isConcrete, MOMENTARY, THIS_PROJECT } from '../patterns.ts'

/**
 * A form in which people say something worth keeping. Every rule is anchored at the start of the main clause, so that
 * "add a comment: always close the file" is not taken for a wish.
 */
export interface Rule {
  /** A sentence that the rule is for; the tests try it. */
  readonly like: string
  readonly main: RegExp
  /** The main clause must not match. */
  readonly unless?: RegExp
  readonly when?: (clause: Clause) => boolean
}

/** Builds a pattern from parts. With `exactCase` a capital tells a name from a word. */
export function pattern(source: string, exactCase?: 'exactCase'): RegExp {
  return new RegExp(source, exactCase === undefined ? 'i' : '')
}

/** "… every 10 minutes now": the line is dated, so that "now" points to its day. */
export function withoutNow(clause: Clause): Clause {
  return { ...clause, main: clause.main.replace(/\b(?:right )?now\b/gi, (word) => (/^right/i.test(word) ? word : 'again')) }
}

/** Nothing in it points outside the sentence. */
export function standsAlone({ main }: Clause): boolean {
  return !DEICTIC.test(main.replace(THIS_PROJECT, 'the project'))
}

/** Stands alone, and speaks of no single thing at hand ("the file"). */
export function isGeneral(clause: Clause): boolean {
  return standsAlone(clause) && !DEFINITE_ONE_OFF.test(clause.main)
}

/** General, and says what it rules out ("pnpm, not npm"). */
export function hasContrast(clause: Clause): boolean {
  return isGeneral(clause) && CONTRAST.test(clause.main)
}

/** General within the project that it names ("in this repo"). */
export function isScoped(clause: Clause): boolean {
  return THIS_PROJECT.test(clause.masked) && isGeneral(clause)
}

/** Names something that can be looked up, and is more than the state of the moment. */
export function isConcreteFact(clause: Clause): boolean {
  return isConcrete(clause.main) && isLasting(clause) && !/\b(?:in|of|on|from) (?:that|those) \w/i.test(clause.main)
}

/** What follows a comma may well be momentary: "our staging URL is …, try it when you are done". */
export function isLasting(clause: Clause): boolean {
  return !MOMENTARY.test(opening(clause).main)
}

export function isCorrection(clause: Clause): boolean {
  return (clause.corrects || CONTRAST.test(clause.main)) && isConcreteFact(clause)
}

/** The first part of the clause alone: "I work in Lisbon, so tomorrow means WET" is about Lisbon. */
export function opening(clause: Clause): Clause {
  const [first = ''] = clause.main.split(/[,;:]\s/, 1)
  return { ...clause, main: first.replace(/\bthis (?:quarter|year|month|week)\b/i, '') }
}
