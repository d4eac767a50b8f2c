/**
 * "I work in Berlin, use CET": what one says of oneself and what one asks for in one breath. In a line about "the user" the second half
 * would stay in another person, so it becomes a sentence of its own, or the words stay as they were said.
 */

/** After a comma these may go on with "I", or be asked for. */
const EITHER = 'use|write|run|speak|keep|commit|test|review|deploy|sign|format|code|ask|plan|do|read|prefer|work|live|want|need|like|own'
/** These are asked for. */
const ORDER =
  'explain|answer|reply|respond|give|tell|make|show|avoid|assume|call|check|mirror|treat|translate|remember|put|name|add|stick|skip|leave|' +
  'return|propose|default|confirm|stop|start|send|set|take|let|look|think|be|include|double-check'
const ALWAYS = '(?:always|never|only)'
const JOINT = new RegExp(
  `(?:\\s*[,;]\\s*(?:(so|but|hence|therefore)\\s+|(?:and|then)\\s+)?|\\s+[–—-]\\s+|\\s+(so)\\s+)(please )?` +
    `(?=(${ALWAYS} (?:${EITHER}|${ORDER})|do(?: not|n't)|${ORDER})\\b(?![-'])|(${EITHER})\\b(?![-'])|we (?!also\\b)\\w)`,
  'gi',
)
/** Words of an order that has none of its own verbs: it is about everything to come, or about the user. */
const FOR_ALL = /\b(?:(?:for|in|on|with) (?:all|every|any|each|everything|anything)|the user|instead|by default|from now on)\b/i
const SUBJECT =
  /^the user (?:(?:really|strongly|generally|usually|also|much|always|never|only|mostly|still|now|currently) )*[\w']+(?=[\s,;])/i

/** `line` is about the user in the third person. Undefined where it cannot be told of whom its second half speaks. */
export function besideOrders(line: string): string | undefined {
  const subject = SUBJECT.exec(line)
  if (subject === null) return line
  const joints = [...line.slice(subject[0].length).matchAll(JOINT)]
  const [joint] = joints
  if (joint === undefined) return line
  const [all, word, so, please, order, either] = joint
  const at = subject[0].length + joint.index
  const rest = line.slice(at + all.length)
  const isPlain = either === undefined || [word, so, please].some((mark) => mark !== undefined) || FOR_ALL.test(rest)
  // "I use Go, test with vitest, deploy with fly" is one list of what the user does; so is "I write, test and deploy".
  const isList =
    order === undefined && (joints.length > 1 || at === subject[0].length || new RegExp(` and (?:${EITHER})\\b`, 'i').test(rest))
  if (!isPlain || isList) return undefined
  const second = word?.toLowerCase() === 'but' ? `but ${rest}` : rest
  return `${line.slice(0, at)}. ${second.charAt(0).toUpperCase()}${second.slice(1)}`
}
