/**
 * Whether a later statement takes the place of an earlier one. Rules again, and cautious: two lines that contradict each other are
 * a nuisance, a true line that was dropped is a loss.
 */

import { stem } from '../../../text/stem.ts'
import { alternativesIn } from './alternatives.ts'
import { CONTRAST, UPDATE } from './patterns.ts'
import { subjectIn } from './subject.ts'
import { type Token, tokens, wordSet } from './tokens.ts'
import { updates } from './updates.ts'

export type Relation = 'same' | 'replaces' | 'unrelated'

/** Words that say that something is stated, wanted or settled, and not what. */
const FRAME = new Set(
  (
    'user prefer like love hate want need use go let lets decide decided decision agree agreed chose chosen settle settled stick switch move going instead ' +
    'rather always never please now will keep default remember note future forward change mind back longer anymore run is are be live stay still ' +
    'currently new team pick'
  )
    .split(' ')
    .map(stem),
)
const NEGATION =
  /\b(?:never|don't|do not|does not|doesn't|avoid|stop|no longer|not|no|won't|without|hates?|dislikes?|drop|nicht|kein\w*|nie(?:mals)?)\b|不要|别|ないで/i
const SCOPE = /\b(?:in|for|on|with|when|within) (?:the |our |all )?([^,.;:]+)/gi
const PLACE = /^(?:in|for|on) ([\w./+#-]+)(?:,| (?:i|we|the user|always|never|use|prefer|please)\b)/i
const NEARLY = 0.75

interface Reading {
  readonly words: ReadonlySet<string>
  /** What it is about, values left out. */
  readonly topic: ReadonlySet<string>
  /** The same of the first clause alone, and the numbers, names and paths in it: what an update changes. */
  readonly slot: ReadonlySet<string>
  readonly values: ReadonlySet<string>
  /** What it says something of: "*Kafka* is owned by …", "*deploy service1* on Fridays". Empty for "we use …". */
  readonly subject: ReadonlySet<string>
  /** Of the subject what tells it from others of its kind: names, numbers, alternatives. */
  readonly named: ReadonlySet<string>
  /** "In shop we always …": the project, in lower case. */
  readonly place: string | undefined
  readonly negative: boolean
  /** "We switched to …": whatever was used before. */
  readonly switches: boolean
  readonly isUpdate: boolean
  /** Words of the things that are ruled out by name: "not npm", "from Jest". */
  readonly ruledOut: readonly ReadonlySet<string>[]
  readonly alternatives: ReadonlyMap<number, string>
  /** What the statement is limited to: "in Makefiles", "for the ledger". */
  readonly scope: ReadonlySet<string>
}

export function relation(later: string, earlier: string): Relation {
  const a = read(later)
  const b = read(earlier)
  if (a.negative === b.negative && sameSet(a.words, b.words)) return 'same'
  if (isElsewhere(a, b) || isAboutOther(a, b)) return 'unrelated'
  if (updates(withoutProject(later), withoutProject(earlier))) return 'replaces'
  return rulesOut(a, b) || fillsSameSlot(a, b) || choosesOther(a, b) || turnsAround(a, b) ? 'replaces' : 'unrelated'
}

/** "In shop always …" says nothing against "in blog never …", nor against what holds in general. */
function isElsewhere(a: Reading, b: Reading): boolean {
  return a.place !== undefined && a.place !== b.place && (b.place !== undefined || /[\d_/.-]/.test(a.place))
}

/**
 * "Kafka is owned by …" says nothing against "Postgres is owned by …", nor "billing uses npm" against "we use pnpm". "The port is …" may
 * well be about what "The API runs on port …" is about: there one subject is among the words of the other statement.
 */
function isAboutOther(a: Reading, b: Reading): boolean {
  // "Zephyr 4.0 is our version now": the number is what has changed.
  const subject = a.isUpdate ? new Set([...a.subject].filter((word) => !/^\d/.test(word))) : a.subject
  return !isSubset(subject, b.words) && (b.subject.size === 0 || !isSubset(b.subject, a.words))
}

/** "pnpm, not npm" after "we use npm". */
function rulesOut(a: Reading, b: Reading): boolean {
  return a.ruledOut.some(
    (out) =>
      out.size > 0 && isSubset(out, b.words) && !b.ruledOut.some((other) => sameSet(other, out)) && !b.negative && topicsMeet(a, b, out),
  )
}

/** "The API runs on port 9000" after "… on port 8081". */
function fillsSameSlot(a: Reading, b: Reading): boolean {
  if (a.values.size === 0 || b.values.size === 0 || sameSet(a.values, b.values) || a.negative !== b.negative) return false
  if (!sameSet(a.named, b.named)) return false
  // Two things can be ruled out at once: "no deploys on Fridays", "no deploys after 16:00".
  if (a.negative && !a.isUpdate) return false
  if (sameSet(a.slot, b.slot)) return a.slot.size > 0
  return a.slot.size >= 3 && sameSet(a.subject, b.subject) && overlap(a.slot, b.slot) >= NEARLY
}

/** "Use spaces" after "use tabs", where neither is limited to something else. */
function choosesOther(a: Reading, b: Reading): boolean {
  if (a.negative !== b.negative && a.ruledOut.length === 0) return false
  for (const [group, member] of a.alternatives) {
    const other = b.alternatives.get(group)
    if (other !== undefined && other !== member && (sameSet(a.scope, b.scope) || (a.switches && isSubset(a.scope, b.words)))) return true
  }
  return false
}

/** "Always …" after "never …", about the same. */
function turnsAround(a: Reading, b: Reading): boolean {
  return (
    a.negative !== b.negative &&
    a.ruledOut.length === 0 &&
    b.ruledOut.length === 0 &&
    a.words.size >= 2 &&
    overlap(a.words, b.words) >= NEARLY
  )
}

/** Both about the same thing, or one of them about nothing in particular. */
function topicsMeet(a: Reading, b: Reading, without: ReadonlySet<string>): boolean {
  const ours = [...a.topic].filter((word) => !without.has(word))
  const theirs = new Set([...b.topic].filter((word) => !without.has(word)))
  return ours.length === 0 || theirs.size === 0 || ours.some((word) => theirs.has(word))
}

function read(text: string): Reading {
  const plain = withoutProject(text)
  const positive = plain
    .replace(new RegExp(CONTRAST.source, 'gi'), ' ')
    .replace(/\b(?:moved|switch(?:ed|ing)?|chang(?:ed|ing)|migrat(?:ed|ing)|mov(?:ed|ing)) from [^,.;]+? to\b/gi, ' ')
  const words = tokens(positive)
  const alternatives = alternativesIn(positive.toLowerCase())
  const chosen = new Set([...alternatives.values()].flatMap((member) => member.split(' ').map(stem)))
  const start = positive.split(/[,;]\s/, 1)[0] ?? ''
  const head = tokens(start)
  const isTopic = ({ isValue, word }: Token): boolean => !isValue && !chosen.has(word) && !FRAME.has(word)
  const isName = ({ isValue, word }: Token): boolean => isValue || chosen.has(word)
  const subject = subjectIn(start, isName).filter(({ word }) => !FRAME.has(word))
  return {
    words: wordSet(words.filter(({ word }) => !FRAME.has(word))),
    topic: wordSet(words.filter(isTopic)),
    slot: wordSet(head.filter(isTopic)),
    values: wordSet(head.filter(({ isValue }) => isValue)),
    subject: wordSet(subject),
    named: wordSet(subject.filter(isName)),
    place: PLACE.exec(plain)?.[1]?.toLowerCase(),
    negative: NEGATION.test(positive),
    isUpdate: UPDATE.test(plain),
    switches: /\b(?:switch(?:ed|ing)?|mov(?:ed|ing)|migrat(?:ed|ing)) (?:over )?to\b/i.test(positive),
    ruledOut: ruledOutIn(plain),
    alternatives,
    scope: new Set(
      [...positive.matchAll(SCOPE)].flatMap((match) =>
        tokens(match[1] ?? '')
          .map(({ word }) => word)
          .filter((word) => !chosen.has(word) && !FRAME.has(word)),
      ),
    ),
  }
}

function withoutProject(text: string): string {
  return text.replace(/^(?!User: )[\w.-]+: (?=[A-Z])/, '')
}

function ruledOutIn(text: string): ReadonlySet<string>[] {
  const contrasts = [...text.matchAll(new RegExp(CONTRAST.source, 'gi'))].map((match) => match[1] ?? '')
  const left = /\b(?:moved|switch(?:ed|ing)?|changed|migrat(?:ed|ing)|moving|changing) from ([^,.;]+?) to\b/i.exec(text)?.[1]
  const dropped =
    /\b(?:(?:is|are) no longer|no longer (?:use|want|need|support)s?|drop(?:ped)? (?:support for )?|go back .*,) ([^,.;]+)/i.exec(text)?.[1]
  return [...contrasts, left, dropped].flatMap((part) => {
    const words = new Set(tokens(part ?? '').map(({ word }) => word))
    return words.size > 0 && words.size <= 3 ? [words] : []
  })
}

function sameSet(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && isSubset(a, b)
}

function isSubset(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return [...a].every((word) => b.has(word))
}

/** Shared words as a part of all words of both. */
function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length
  return shared === 0 ? 0 : shared / (a.size + b.size - shared)
}
