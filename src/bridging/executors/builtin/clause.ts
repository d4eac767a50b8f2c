/** Takes a sentence apart: what leads in to it, whether it corrects or reminds, the condition before the main clause. */

/** Words before the statement proper that carry nothing. Most need a mark behind them; "right" alone may be an adjective. */
const FILLER =
  /^(?:(?:ok(?:ay)?|so|and|but|also|btw|by the way|oh|hmm+|um+|ah|anyway|just|please note|one (?:more|other|last) thing|another thing|quick (?:note|one)|just so you know|good catch)\b[,:.!…—–-]*\s+|(?:great|cool|nice|perfect|good|fine|right|alright|all right|sure|yes|yeah|yep|yup|thanks(?: a lot| so much)?|thank you(?: so much)?|ok thanks|well|sorry|hi|hello|hey|again|then|finally|first|second|lastly|important|ps|p\.s\.|as i said|to be clear|in short|wait|hmm+ no|agreed|exactly)(?:[,:!.…]|\s[—–-])+\s*|(?:yes|yeah|yep|yup|right|true|correct|ok|exactly) (?=[a-z]{1,8}[-_]?\d))/i
/** Openings that say that what came before is wrong. */
const CORRECTION =
  /^(?:(?:no|nope|not quite|wrong|incorrect|correction|that(?:'s| is) (?:wrong|not right|not correct|incorrect|not true)|this is wrong|you(?:'re| are) wrong|sorry|nein|falsch)(?:[,:;.!]|\s[—–-])+\s*|actually,?\s+|(?:i(?:'ve| have)? changed my mind|change of plan|scratch that)(?: about [^,.:;]{1,40})?\s*[,:;.]\s+|(?:不对|不是)[，,]\s*)/i
/** Openings that say that a rule follows. */
const RULE_HEADING =
  /^(?:here(?:'s| is) )?(?:(?:the|a|my|our|one|another|new|house|team|ground|golden|general|simple|hard) ){0,3}(?:rule(?: of thumb)?|policy|convention|guideline)\s*(?::|\s[—–-])\s+/i
/** Openings that ask for the rest to be kept. */
const REMINDER =
  /^(?:(?:please )?(?:do )?(?:always )?(?:remember|keep in mind|bear in mind|note|be aware|make a note|take note|memori[sz]e)(?: that\b|\s*[:,]| this:)?\s+|(?:please )?(?:don't|do not|never) forget(?: that\b|\s*[:,])?\s+|(?:for (?:future reference|the record|your information|context|next time)|fyi|heads[- ]up|nb|n\.b\.|reminder|good to know|important)\s*[:,—–-]?\s+(?:that )?)/i
/** After "remember", these open a question, an errand or a story and no statement. */
const NOT_A_STATEMENT =
  /^(?:to|when|how|what|why|where|who|which|me|us|you|it|this|that|those|these|him|her|them|the (?:time|day|function|file|thing|one|last)|about|if|whether|my words|our)\b(?!.*\b(?:is|are|must|needs?|uses?|has|have|runs?|lives?)\b)|^(?:to|when|how|what|why|me|about|if|whether)\b/i
/** "When you write tests, …": a condition that belongs to the statement but not to its form. */
const CONDITION =
  /^(?:when(?:ever)?|if|before|after|once|unless|until|while|every time|each time|for|in|on|at|with|as|since|because|given|following|by default|generally|in general|from now on|going forward|from here on|henceforth|as a (?:rule|default))\b[^,;:]{0,90}[,:]\s+/i
/** "for python always use uv": told from its object by what follows. */
const CONDITION_WITHOUT_COMMA =
  /^(?:by default|in general|from now on|from today on|as of (?:now|today)|going forward|in (?:the )?future|(?:in|for) (?:this|our|the current) (?:repo(?:sitory)?|project|code ?base|monorepo|workspace)|(?:for|in|with|on) [\w./+#-]+(?: [\w./+#-]+)?(?= (?:i|we) (?:always|never|only|prefer|use|want|generally|usually)\b)|(?:for|in|with|on) (?:(?!(?:we|i|you|it|they)\b)[\w.+#/-]+ ){1,8}?(?=(?:please )?(?:always|never|use|prefer|don't|do not)\b))[,:]?\s*/i

export interface Clause {
  /** The statement without its lead-in, as typed and with quoted words blanked out; same length. */
  readonly text: string
  readonly masked: string
  /** `masked` without a leading condition and "please". */
  readonly main: string
  /** Further clauses of the same sentence that could carry the statement: "don't use moment, *we use date-fns*". */
  readonly parts: readonly Part[]
  readonly corrects: boolean
  readonly reminds: boolean
  /** "Rule: …" */
  readonly isRule: boolean
}

export interface Part {
  readonly main: string
  /** Characters from here to the end of the sentence. */
  readonly length: number
  /** What comes before is a heading: "one thing about the tests: …". */
  readonly isHeaded: boolean
}

/** Undefined where nothing remains, or where a reminder is an errand ("remember to …"). */
export function readClause(sentence: string, masked: string): Clause | undefined {
  let at = 0
  let corrects = false
  let reminds = false
  let isRule = false
  for (let moved = true; moved; ) {
    const rest = masked.slice(at)
    const correction = CORRECTION.exec(rest)
    const reminder = correction === null ? REMINDER.exec(rest) : null
    const rule = RULE_HEADING.exec(rest)
    const lead = rule ?? correction ?? reminder ?? FILLER.exec(rest)
    moved = lead !== null
    if (lead === null) continue
    corrects ||= correction !== null
    reminds ||= reminder !== null
    isRule ||= rule !== null
    at += lead[0].length
    if (reminder !== null && NOT_A_STATEMENT.test(masked.slice(at))) return undefined
  }
  const text = sentence.slice(at)
  if (text.trim() === '') return undefined
  const main = mainClause(masked.slice(at))
  return { text, masked: masked.slice(at), main, parts: partsOf(main), corrects, reminds, isRule }
}

function mainClause(masked: string): string {
  const condition = CONDITION_WITHOUT_COMMA.exec(masked) ?? CONDITION.exec(masked)
  return masked.slice(condition?.[0].length ?? 0).replace(/^(?:then )?(?:please|pls|kindly) /i, '')
}

/** A sentence that opens with an errand speaks about a text or a thing to make; what follows its colon is not a rule. */
const ERRAND =
  /^(?:add|write|create|make|print|rename|translate|insert|say|put|change|replace|generate|append|include|return|show|tell|fix|implement|update|document|set|name|call|title|summari[sz]e|explain|look|find|search|list|send|draft|give)\b/i
const PART_START = /^(?:we(?:'re|'ll|'ve)?|our|i(?:'m)?|always|never|don't|do not|use|prefer|please|the|no need)\b/i

function partsOf(main: string): Part[] {
  if (ERRAND.test(main)) return []
  const parts: Part[] = []
  for (const match of main.matchAll(/[,;:–—]\s+(?:so |and |but |because |since )?(?:please )?/g)) {
    const rest = main.slice(match.index + match[0].length)
    const isHeaded = match[0].startsWith(':')
    const [part = ''] = rest.split(/[,;:–—]\s/, 1)
    if (isHeaded || match[0].startsWith(';') || PART_START.test(part)) parts.push({ main: part, length: rest.length, isHeaded })
  }
  return parts
}
