/**
 * The question that somebody would ask who has forgotten what a line says: natural, and without the answer in it. Where a line has no
 * form that makes one, there is none.
 */
import { choiceIn } from '../bridging/executors/builtin/alternatives.ts'
import { gerund, infinitive } from './verbs.ts'

export type Asked = 'preference' | 'decision' | 'fact' | 'person' | 'identifier' | 'skill'

export interface AskedAbout {
  readonly kind: Asked
  readonly text: string
}

const LONGEST_TOPIC_WORDS = 7
/** Where what a line is about ends and the rest begins. */
const TOPIC_END =
  /[,;:.!?—–](?=\s|$)|\s(?:because|since|so that|which|that|when|if|unless|until|without|before|after|instead of|rather than|than|over|and|but|not|never|from now on|as|now|I)\s|\s(?:please|everywhere|always|now)$/i
const IDENTIFIER = /^((?=[\w-]*[A-Z])(?=[\w-]*\d)[A-Z][A-Za-z]*[-_][\w-]+) (?:means|stands for|is)\b/
const SKILL = /fails with "(.*)": run `/

/** `file` tells the kind; `text` is the line without its date. */
export function askAbout(track: string, file: string, text: string): AskedAbout | undefined {
  if (track === 'skill') return about('skill', SKILL.exec(text)?.[1]?.replace(/[:;,]$/, ''))
  const project = /^([\w.-]+): (?=\S)/.exec(text)?.[1]
  const plain = text.slice(project === undefined ? 0 : project.length + 2).replace(/[.!]$/, '')
  const identifier = IDENTIFIER.exec(plain)?.[1]
  if (identifier !== undefined) return about('identifier', identifier)
  if (file === 'preferences') return about('preference', preference(plain))
  if (file === 'about-the-user') return about('person', firstOf(PERSON, plain))
  if (file.endsWith('decisions')) return about('decision', decision(plain, project))
  return file.endsWith('facts') ? about('fact', inProject(firstOf(FACTS, plain), project)) : undefined
}

function about(kind: Asked, text: string | undefined): AskedAbout | undefined {
  return text === undefined || text === '' ? undefined : { kind, text }
}

/** What agents are told to do or to leave; of other words nobody knows whether they are verbs. */
const VERB =
  /^(?:use|write|put|keep|name|format|run|install|add|make|store|log|commit|push|force-push|create|skip|leave|test|document|update|import|export|quote|sort|start|treat|edit|touch|change|delete|remove|refactor|rename|mock|merge|squash|rebase|amend|rewrite|deploy|release|build|ship|sign|answer|reply|explain|ask|check|verify|show|return|call|open|close|translate|include|send|read|download|upload|restart|suggest|introduce|store|limit|split|wrap|pin|stage|review)$/i
const NOT_BEHIND_A_VERB = '(?<!\\b(?:do|does|did|is|are|was|will|can|should|would|must|may|has|have))'
const RULED_OUT = new RegExp(
  `(?: instead of| rather than|${NOT_BEHIND_A_VERB},? not|, never|, don't use) ([^,.;]+?)(?= (?:in|for|on|from|because)\\b|[,.;]|$)`,
  'i',
)

function preference(line: string): string | undefined {
  const subject = choice(line) ?? ruledOut(line) ?? activity(line)
  return subject === undefined ? undefined : `What does the user want about ${subject}?`
}

/** "the package manager", "indentation in shop" */
function choice(line: string): string | undefined {
  const of = choiceIn(line.toLowerCase())
  if (of === undefined || (of.endsWith('answers') && !/\b(?:answer|repl|respon|summar|explan)/i.test(line))) return undefined
  const where = /\b(?:in|for) ([A-Z][\w+#]*|[a-z]+-[a-z-]+)(?=[,.;]|$| (?:always|use|never))/.exec(line)?.[1]
  return where === undefined || of.includes(where) || choiceIn(where.toLowerCase()) !== undefined ? of : `${of} in ${where}`
}

function ruledOut(line: string): string | undefined {
  const words = RULED_OUT.exec(line)?.[1]?.split(' ') ?? []
  const isThing =
    words.length > 0 && words.length <= 4 && !VERB.test(words[0]!) && !/^(?:when|if|to|in|on|at|just|a|an|it|that|this)$/i.test(words[0]!)
  return isThing && !/^(?:never|don't|do not|write|always|keep)\b/i.test(line) ? words.join(' ') : undefined
}

/** "Never commit generated files" → "committing generated files"; "The user prefers small commits" → "small commits". */
function activity(line: string): string | undefined {
  const plain = line
    .replace(/^(?:from now on|going forward|in future|by default),? /i, '')
    .replace(/^(?:in|for) [\w.+#-]+,? /i, '')
    .replace(/^(?:we|you|the user) (?:should |must )?(?=(?:always|never) )/i, '')
  const offLimits = /^((?:the )?.+?) (?:is|are) off[- ]limits\b/i.exec(plain)?.[1]
  if (offLimits !== undefined) return offLimits.toLowerCase()
  const thing =
    /^the user (?:\w+ly |also |always )?(?:prefers?|likes?|hates?|wants?|no longer wants|would rather have) (?:all |no )?(.+)/i.exec(
      plain,
    )?.[1] ??
    /^prefer .+ to .+ (?:for|in) (.+)/i.exec(plain)?.[1] ??
    /^(?:avoid|no(?: more)?) (.+?)(?: (?:after|on|in|before|during|without) .*)?$/i.exec(plain)?.[1]
  if (thing !== undefined) return topic(thing)
  const done = /^(?:(?:always|never|do not|don't|please|stop|avoid)(?:,? ever)?,? )*([a-z]+(?:-[a-z]+)?) (.+)/i.exec(plain)
  const verb = done?.[1]
    ?.toLowerCase()
    .replace(/^(\w+)ing$/, (all, base: string) => [base, `${base}e`].find((form) => VERB.test(form)) ?? all)
  if (done === null || verb === undefined || !VERB.test(verb)) return undefined
  const object = topic(done[2]!.replace(/ (?:in|as|with) .*$/i, ''))
  return object === undefined || /^(?:in|as|with|the user|any)\b/i.test(object) ? undefined : `${gerund(verb)} ${object}`
}

const DECIDED =
  /^(?:we|the user|the team)(?: have|'ve)? (?:decided|agreed|chose|settled)(?: (?:to|on))? (?:(?:not )?(?:use|keep|drop|deliver|support|ship|adopt|store|move|switch|go|deprecate|migrate)s?(?: (?:with|to|support for))? )?(?!that\b|with\b|yesterday\b)(.+)/i

function decision(line: string, project: string | undefined): string | undefined {
  const reason = /\bbecause\b|\bsince\b|, (?!so\b|not\b|no\b)/.test(line) ? ' and why' : ''
  const it = /^(.+?) it is\b.*?(?:, no (.+))?$/i.exec(line)
  const subject =
    /^support for (.+?) (?:was|is|has)\b/i.exec(line)?.[1] ??
    purposeOf(line) ??
    it?.[2] ??
    it?.[1] ??
    ruledOut(line) ??
    /^we agreed .*?\bthat (.+?) (?:is|are|stays?|must|has|have)\b/i.exec(line)?.[1] ??
    topicOf(DECIDED.exec(line)?.[1]) ??
    topicOf(/^we(?:'ve| have)? (?:switched|moved|migrated|upgraded)(?: from .+?)? to (.+)/i.exec(line)?.[1])
  return subject === undefined ? undefined : inProject(`What was decided about ${subject}${reason}?`, project)
}

function purposeOf(line: string): string | undefined {
  const purpose = topicOf(/\bfor ((?:the |all |our )?[^,.;]+)/i.exec(line)?.[1])
  return purpose === undefined || /^(?:us|me|now|you|them|\d)\b/i.test(purpose) || /^\S+ it is\b/i.test(line) ? undefined : purpose
}

type Form = readonly [pattern: RegExp, question: (match: RegExpExecArray) => string | undefined]

const PERSON: readonly Form[] = [
  [/^the user's (dog|cat|pet|son|daughter|partner|wife|husband)\b.* (?:called|named)/i, ([, who]) => `What is the user's ${who} called?`],
  [/^the user's ([\w -]+?) (?:is|are)\b/i, ([, what]) => `What is the user's ${what}?`],
  [/^the user (?:now )?(?:lives in|moved to|is based in)\b/i, () => 'Where does the user live?'],
  [
    /^the user (?:works|looks) (on|for|at|in|after)\b/i,
    ([line, where]) => (/looks/.test(line) ? 'What does the user look after?' : `What does the user work ${where}?`),
  ],
  [/^the user is\b/i, () => 'Who is the user?'],
]

const TIMES = '\\b(?:every|once (?:a|per)|each) (?:\\d|second|minute|hour|day|night|week|month|mon|tues|wednes|thurs|fri|satur|sun)'

/** A noun of up to five words as the first group, then `rest`. */
function form(rest: string): RegExp {
  return new RegExp(`^((?:the |our |all )?[\\w./+#'-]+(?: [\\w./+#'-]+){0,4}?) ${rest}`, 'i')
}

const FACTS: readonly Form[] = [
  [/^only .+? (?:can|may|must|(?:is|are) allowed to) (.+)/i, ([, what]) => asks('Who can', topic(what!))],
  [/^(?:.+?) signs? off(?: on)? (.+)/i, ([, what]) => asks('Who signs off', topic(what!))],
  [/^(?:.+?) (owns|maintains|leads|is responsible for) (.+)/i, ([, does, what]) => asks(`Who ${does}`, topic(what!))],
  [/^(an?|the|every|each) (.+?) counts? as (\w+)/i, ([, one, what, as]) => `When does ${one!.toLowerCase()} ${what} count as ${as}?`],
  [/^we (\w+)(?: [\w -]+?)?(?: from .+)? (?:every|each|once|twice) /i, ([, verb]) => `When do we ${verb}?`],
  [/^we (?:use|rely on) .+ for (.+)/i, ([, what]) => asks('What do we use for', topic(what!))],
  [
    /^we (build|release|deploy|test|ship|sign|format|monitor|publish) (with|to|from|through|by) /i,
    ([, verb, how]) => `What do we ${verb} ${how}?`,
  ],
  [
    form(`([a-z]+s)(?: up)? ${TIMES}`),
    ([line, what, verb]) => `How often does ${named(what!)} ${infinitive(verb!)}${/ up /.test(line) ? ' up' : ''}?`,
  ],
  [form('listens? for (\\w+) on '), ([, what, sought]) => `Where does ${named(what!)} listen for ${sought}?`],
  [form('(?:(?:runs?|listens?)\\b.* (?:on|at)|moved to) (?:port )?\\d'), ([, what]) => `On which port does ${named(what!)} run?`],
  [
    form('(?:is|are) (stored|run|hosted|deployed|written|built|encoded|signed|kept|versioned|rotated|managed) '),
    ([line, what, done]) => `How ${be(line)} ${named(what!)} ${done}?`,
  ],
  [form('(?:is|are) (?:now )?on (?:\\d|[a-z]+day)'), ([line, what]) => `When ${be(line)} ${named(what!)}?`],
  [
    form(
      '(?:(?:is|are|lives?|sits?)(?: now)? (?:at|in|under) |(?:has )?moved to |(?:is|are)(?: now)? (?=[^\\s@]*(?:://|\\w\\.\\w+\\.\\w)|[\\w-]+\\.example\\b|/))',
    ),
    ([line, what]) => `Where ${be(line)} ${named(what!)}?`,
  ],
  [form('must be '), ([, what]) => `What must ${named(what!)} be?`],
  [form('is (?:the|our) ([\\w -]+?)(?: from now on| now)?$'), ([, , what]) => `What is the ${what}?`],
  [form('(?:is|are)(?: now)? \\S'), ([line, what]) => whatIs(what!, be(line))],
]

function whatIs(noun: string, verb: string): string | undefined {
  if (/^(?:it|we|you|they|this|that)$/i.test(noun) || verb === 'are') return undefined
  return /^[a-z][\w.-]*$/.test(noun) ? `What is known about ${noun}?` : `What is ${named(noun)}?`
}

/** The verb that follows the first noun. */
function be(line: string): 'is' | 'are' {
  return /^(?:are|live|sit)$/i.test(/^.+? (is|are|lives?|sits?|has|moved)\b/i.exec(line)?.[1] ?? '') ? 'are' : 'is'
}

function firstOf(forms: readonly Form[], line: string): string | undefined {
  for (const [pattern, question] of forms) {
    const match = pattern.exec(line)
    if (match === null) continue
    const text = question(match)
    if (text !== undefined) return text
  }
  return undefined
}

function asks(start: string, what: string | undefined): string | undefined {
  return what === undefined ? undefined : `${start} ${what}?`
}

function topicOf(text: string | undefined): string | undefined {
  return text === undefined ? undefined : topic(text)
}

/** The words before the rest begins; undefined where nothing or too much is left. */
function topic(text: string): string | undefined {
  const end = TOPIC_END.exec(text)
  const words = (end === null ? text : text.slice(0, end.index))
    .replace(/ (?:(?:last|this|next) (?:week|month|year)|yesterday|today|recently)\b/gi, '')
    .trim()
  return words === '' ||
    words.split(' ').length > LONGEST_TOPIC_WORDS ||
    /^(?:it|that|this|no$|to (?!main|master|production|prod|shared)\w+)\b/i.test(words)
    ? undefined
    : words
}

/** Two projects may have the same kind of thing. */
function inProject(question: string | undefined, project: string | undefined): string | undefined {
  return question === undefined || project === undefined ? question : question.replace(/( and why)?\?$/, (end) => ` in ${project}${end}`)
}

/** "Staging db" → "the staging db"; names, plurals and single words in small letters stay. */
function named(noun: string): string {
  if (/^[A-Z][a-z]+ \d|^[a-z][\w.-]*$/.test(noun)) return noun
  const plain = /^[A-Z][a-z]+\b/.test(noun) ? noun.charAt(0).toLowerCase() + noun.slice(1) : noun
  return /^(?:the|our|all|my|an?)\b/.test(plain) || /s$|^\S*[A-Z\d]/.test(plain) ? plain : `the ${plain}`
}
