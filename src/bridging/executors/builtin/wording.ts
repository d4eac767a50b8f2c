/** Turns what a person said into a line that stands by itself: their own words, "I" and "this repo" replaced by who and what is meant. */
import { besideOrders } from './beside-orders.ts'
import { THIS_PROJECT } from './patterns.ts'

/** Verbs after "I" that are put into the third person; a sentence with another one keeps its words, marked as the user's. */
const VERB =
  'mention|talk|ask|plan|prefer|like|love|enjoy|favou?r|hate|dislike|detest|want|need|expect|use|work|live|maintain|own|lead|manage|run|develop|speak|code|write|do|keep|commit|read|test|review|deploy|sign|format'
const ADVERB = 'really|strongly|generally|usually|also|much|always|never|only|absolutely|definitely|no longer|mostly|still|now|currently'

const AND_VERB = new RegExp(
  `^(the user (?:is|\\w+s) [^.,;]*?) and ((?:${ADVERB}) )?(use(?! cases?\\b)|write|speak|live|maintain|prefer|hate|enjoy|develop)(?= \\S)`,
  'i',
)

/** One line without line breaks, beginning with a capital and ending with a stop. */
export function wordLine(text: string, project: string | undefined): string {
  const plain = text
    .replace(/\s+/g, ' ')
    .replace(/^(?:then )?(?:please|pls|kindly),? /i, '')
    .replace(/,? please(?=[.!]?$)/i, '')
    .trim()
  const named = project === undefined ? plain : plain.replace(new RegExp(`(?<!\\w)${THIS_PROJECT.source}(?= ?[^\\w-]|$)`, 'gi'), project)
  const third = thirdPerson(
    project === undefined
      ? named
      : named.replace(/^this (is an? (?:monorepo|repo|project|app|service|library|package|website|cli|plugin)\b)/i, `${project} $1`),
  )
  const worded = third ?? `User: ${named}`
  // A name that begins with a small letter keeps it.
  const isName = /^\S*[\d_./@-]/.test(worded) || (project !== undefined && worded.startsWith(`${project} is `))
  return closed(isName ? worded : worded.charAt(0).toUpperCase() + worded.slice(1))
}

/** Undefined where a first person remains that cannot be put into the third one safely. */
function thirdPerson(text: string): string | undefined {
  const worded = text
    .replace(/^(I(?:'m| am| run| lead| manage| own| maintain)\b[^,;.]*(?:, I [^,;.]*)?) here(?=[,.;!]|$)/i, '$1')
    .replace(new RegExp(`\\bI (?:(${ADVERB}) )?((?:${ADVERB}) )?(${VERB})\\b`, 'gi'), (_, first = '', second = '', verb: string) =>
      ['the user', first, second.trim(), conjugated(verb)].filter((word) => word !== '').join(' '),
    )
    .replace(/\bI(?:'m| am)\b/gi, 'the user is')
    .replace(/\bI(?:'d| would)\b/gi, 'the user would')
    .replace(/\bI(?:'ve| have)\b/gi, 'the user has')
    .replace(/\bI do(?:n't| not)\b/gi, 'the user does not')
    .replace(/\bI can(?:'t|not)\b/gi, 'the user cannot')
    .replace(
      /\bI (?:(just|recently|now) )?(decided|agreed|chose|settled|opted|picked|resolved|moved|switched|joined|changed|started)\b/gi,
      (_, first = '', verb: string) => ['the user', first, verb].filter((word) => word !== '').join(' '),
    )
    .replace(/(?<=^only [^.;]{1,60} and )I\b/i, 'the user')
    .replace(/\bme\b/g, 'the user')
    .replace(/\bmy\b/gi, "the user's")
    // One subject is enough: "The user is the lead and runs the team".
    .replace(/^(the user (?:is|\w+s) [^.;]*?)(?:, and|,| and) the user (?=(?:is|\w+s)\b)/i, '$1 and ')
    // "I live in Berlin and speak German": words that are no nouns as well.
    .replace(AND_VERB, (_, first: string, adverb = '', verb: string) => `${first} and ${adverb}${conjugated(verb)}`)
  const isLeft = /\bI\b|\bI'|(?<![\w.])i(?![\w.])|\b(?:mine|myself)\b/.test(worded)
  return isLeft ? undefined : besideOrders(worded)
}

function conjugated(verb: string): string {
  return verb.toLowerCase() === 'do' ? 'does' : `${verb.toLowerCase()}s`
}

function closed(text: string): string {
  const end = text.replace(/[!.,;:\s]+$/, '')
  return /[。！.!]$/.test(end) ? end : `${end}.`
}
