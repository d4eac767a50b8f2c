/** Small parts that the rules share. */

/** Words that point outside the sentence: what they mean is lost when the sentence stands alone. */
export const DEICTIC =
  /\b(?:this|these|those|it|them|here|there|now|today|tomorrow|tonight|yet|yours|above|below|former|latter|the (?:first|second|third|last|other|same|next|previous|right|left)(?= (?:one|option|variant|way|approach|version|solution|idea|suggestion|thing)\b|[.,;!]|$)|(?:option|variant|approach|plan|version|number) (?:[a-d]|one|two|three|\d)|one of)\b|\bthat(?= one\b| way\b| file\b| module\b| instead\b|[.,;!]|$)|\b(?:with|use|using|do|like|touch|touching|keep|drop|pick|choose) that\b/i

/** "the file": known only to who was there. */
export const DEFINITE_ONE_OFF =
  /\bthe (?:file|test|tests|function|method|class|line|change|changes|diff|output|result|error|warning|bug|issue|problem|code|loop|variable|value|button|header|page|query|branch|commit|message|logs?|debugger|script|button|rest|others?)\b/i

/** "this repo" is known: the session's project takes its place. */
export const THIS_PROJECT = /\b(?:this|our|the current) (?:repo(?:sitory)?|project|code ?base|monorepo|workspace)\b/i

/** "is now", "moved", "instead of": what was said before about the same thing is over. */
export const UPDATE =
  /\b(?:now|moved|no longer|any ?more|upgraded|updated to|bumped to|switched|migrated|changed to|instead of|renamed|replaced|from now on|as of)\b|, not\b/i

/** Something concrete that somebody would look up: a URL, number, path, identifier, code, name or weekday. */
const CONCRETE =
  /https?:\/\/|[\w.+-]+@[\w-]+\.\w|\d|`[^`]+`|\b[\w.-]+\/[\w./-]*|\b[a-z]+[A-Z]\w*|\b[A-Z]{2,}\w*|\w_\w|\b[a-z]{2,}-[a-z]{2,}\b|\b\w+\.(?:com|dev|io|local|net|org|internal|example|lan|cloud|app|ai|eu|ts|js|json|ya?ml|toml|md|env|py|go|rs|sh)\b/
const PROPER_NAME = /(?<=\s)(?!I\b|I'|OK\b)[A-Z][a-z]+/

export function isConcrete(text: string): boolean {
  return CONCRETE.test(text) || PROPER_NAME.test(text)
}

/** The tail of a contrast, with what is ruled out as its group: "…, not npm", "… instead of npm". */
export const CONTRAST =
  /(?:,? instead of|,? rather than|,? and not|(?<!\b(?:do|does|did|is|are|was|were|has|have|had|can|could|should|would|will|must|may)),? not|,? but not|,? and never|, never|,? over|,? statt|(?<=\w) versus) ((?:[^,.;]|\.(?=\w))+?)(?= (?:for|in|on|at|because|since|when|from|as|to)\b|[,;]|\.(?!\w)|$)/i

/** States of the moment: true today, wrong tomorrow. */
export const MOMENTARY =
  /\b(?:broken|failing|fails|failed|crash(?:es|ed|ing)?|empty|missing|wrong here|red|green|stuck|slow|down|up again|done|finished|ready|running (?:now|again|fine)|works?(?: now| again| fine)?$|working (?:now|again|fine)|ok(?:ay)? now|weird|strange|odd|undefined|null|fixed|merged|pushed|gone)\b/i
