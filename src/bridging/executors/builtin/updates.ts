/**
 * A later statement that says of itself that something has changed ("is now", "moved", "upgraded to", "instead of"), and whether an
 * earlier one is what it was before. Each test looks at one kind of thing that changes.
 */
import { stem } from '../../../text/stem.ts'
import { contentWords } from './content-words.ts'
import { UPDATE } from './patterns.ts'

/** Both as they stand in the file, without the project's name. */
export function updates(later: string, earlier: string): boolean {
  if (changesAboutTheUser(later, earlier)) return true
  if (!UPDATE.test(later)) return false
  return sameSubject(later, earlier) || otherVersion(later, earlier) || otherMeasure(later, earlier) || isGivenUp(later, earlier)
}

const HOME = /\b(?:lives? in|(?:is |am |'m )?based in|moved to|located in) (?:\w+ly )?(\p{Lu}[\p{L}-]+)/u
const TEAM = /\b(?:works? (?:on|in|for)|moved to|joined|(?:is|am) (?:on|in)) the ((?:[\w-]+ ){1,2}?)team\b/i
const USER = /^(?:the user|user: i)\b/i

/** A person lives in one place and works in one team. */
function changesAboutTheUser(later: string, earlier: string): boolean {
  if (!USER.test(later) || !USER.test(earlier)) return false
  return [HOME, TEAM].some((slot) => {
    const [now, before] = [slot.exec(later)?.[1], slot.exec(earlier)?.[1]]
    return now !== undefined && before !== undefined && now.toLowerCase() !== before.toLowerCase()
  })
}

const VERB = /\s(?:is|are|was|were|has|have|had|lives?|runs?|sits?|listens?|moved|changed)\b/i

/** "The staging db is now …" after "The staging db is at …, user …". */
function sameSubject(later: string, earlier: string): boolean {
  const [now, before] = [subjectOf(later), subjectOf(earlier)]
  if (now.size === 0 || now.size !== before.size || ![...now].every((word) => before.has(word))) return false
  const [value, old] = [firstValue(later), firstValue(earlier)]
  return value !== undefined && old !== undefined && value !== old && shapeOf(value) === shapeOf(old)
}

function subjectOf(text: string): ReadonlySet<string> {
  const verb = VERB.exec(text)
  return verb === null ? new Set() : contentWords(text.slice(0, verb.index))
}

/** What the verb says at once: "is *pg-2.example*", "moved to *port 9443*", and not "is owned by team-7". */
function firstValue(text: string): string | undefined {
  const verb = VERB.exec(text)
  const said = verb === null ? '' : text.slice(verb.index + verb[0].length)
  const value = /^\s*(?:(?:now|moved|called|named|at|in|on|to|under|the|port|no longer [^,;]+[,;] (?:it is|it's|but|now)) )*(\S+)/i
    .exec(said)?.[1]
    ?.replace(/[.,;:]+$/, '')
  return value !== undefined && /\d|:\/\/|\w[-./]\w/.test(value) ? value : undefined
}

/** A port takes the place of a port, an address that of an address. */
function shapeOf(value: string): 'number' | 'path' | 'address' {
  if (/^[\d.,]+[a-z%]*$/i.test(value)) return 'number'
  return value.includes('/') && !value.includes('://') ? 'path' : 'address'
}

/** "Zephyr 4.0" after "Zephyr 3.7", "/opt/sdk-0.17.0" after "/opt/sdk-0.16.8". */
function otherVersion(later: string, earlier: string): boolean {
  const before = versionsIn(earlier)
  return [...versionsIn(later)].some(([name, version]) => before.has(name) && before.get(name) !== version)
}

const NOT_A_PRODUCT = /^(?:port|version|release|step|line|page|issue|limit|step|phase|sprint|version|day|week|v|the|room|floor|on|to|is)$/i

function versionsIn(text: string): ReadonlyMap<string, string> {
  const named = [...text.matchAll(/(?<![\w.])(\p{Lu}[\w.+#]*) v?(\d+(?:\.\d+)*)(?![\w-])/gu)].filter(
    ([, name]) => !NOT_A_PRODUCT.test(name!),
  )
  const paths = [...text.matchAll(/(?<!\S)(\S*\/\S*?[-_/])v?(\d+(?:\.\d+)+)(?=[,;)]|\.?(?:\s|$))/g)]
  return new Map([...named, ...paths].map(([, name, version]) => [name!.toLowerCase(), version!]))
}

const MEASURE =
  /\b(\d+(?:\.\d+)?) ?(seconds?|minutes?|hours?|days?|weeks?|months?|ms|s|min|h|kb|mb|gb|tb|%|requests?|retries|rows?|items?)(?!\w)/gi
/** They say that a thing is measured, and not which. */
const MEASURED = new Set(
  'interval timeout limit size rate period time every duration delay maximum max minimum now budget new retention'.split(' ').map(stem),
)

/** "The wake interval is 10 minutes now" after "The sensor wakes up every 15 minutes". */
function otherMeasure(later: string, earlier: string): boolean {
  const [now, before] = [measuresIn(later), measuresIn(earlier)]
  if (now.length !== 1 || before.length !== 1 || now[0]!.unit !== before[0]!.unit || now[0]!.amount === before[0]!.amount) return false
  const subject = [...contentWords(later.slice(0, now[0]!.at))].filter((word) => !MEASURED.has(word))
  const earlierWords = contentWords(earlier)
  return subject.length > 0 && subject.every((word) => earlierWords.has(word))
}

function measuresIn(text: string): { readonly amount: string; readonly unit: string; readonly at: number }[] {
  const positive = text.replace(/, not [^,;]+/i, '')
  return [...positive.matchAll(MEASURE)].map((match) => ({
    amount: match[1]!,
    unit: match[2]!.toLowerCase().replace(/(?<=..)s$/, ''),
    at: match.index,
  }))
}

/** "We don't use Jest any more" after "We use Jest for unit tests". */
function isGivenUp(later: string, earlier: string): boolean {
  const dropped =
    /\b(?:no longer|do(?:n't| not)|does(?:n't| not)) (?:use|need|want|run|have|support|deploy)s? ([^,.;]+?) ?(?:any ?more)?(?=[,.;]|$)/i.exec(
      later,
    )?.[1]
  if (dropped === undefined || /\b(?:not|never|no|don't|no longer)\b/i.test(earlier)) return false
  const [words, held] = [contentWords(dropped), contentWords(earlier)]
  return words.size > 0 && [...words].every((word) => held.has(word))
}
