/** How the user, or the team, wants things done. */
import { alternativesIn } from '../alternatives.ts'
import type { Clause } from '../clause.ts'
import { CONTRAST, DEFINITE_ONE_OFF, DEICTIC, THIS_PROJECT } from '../patterns.ts'
import { hasContrast, isGeneral, isLasting, isScoped, opening, pattern, type Rule, standsAlone } from './rule.ts'

const IMPERATIVE = pattern(
  '^(?:use|write|put|keep|name|format|answer|reply|respond|explain|speak|talk|run|install|add|make|return|store|call|check|ask|show|commit|' +
    "push|create|prefer|avoid|skip|leave|drop|do(?:n't| not)?|never|always|test|document|update|log|import|export|include|omit|quote|wrap|" +
    'sort|place|start|stop|treat|assume|give|tell|stick|follow|wait|double-check|verify|open|squash|rebase|sign|prefix|split|limit|' +
    'translate|confirm|propose|default|build|deploy|only)\\b',
)
const FROM_NOW_ON =
  /\b(?:from now on|going forward|in (?:the )?future|henceforth|by default|from here on|as a rule|every time|at all times)\b/i
const DONT = "^(?:do not|don't|dont) "
/** "don't worry": no rule about work. */
const SOOTHING = '(?!(?:worry|bother|know|think|understand|see|get|mind|panic|be|forget|stop|give up|guess)\\b)'
/** "don't delete …" usually means the thing at hand. */
const AT_HAND = '(?!(?:touch|delete|remove|change|run|start|want|need|have|care)\\b)'
/** After "I always": an experience, not a habit. */
const EXPERIENCE =
  '(?!(?:get|see|have|had|was|were|forget|seem|end|wonder|thought|think|knew|know|saw|got|feel|fail|hit|recommend|understand|understood|can|could|will|\\w+ed)\\b)'
const WRITTEN_THINGS =
  '(?:answers|replies|responses|explanations|comments|commits|commit messages|functions|files|tests|prs|pull requests|pull request descriptions|names|summaries|messages|branches|docs|documentation|reviews)'
/** After "no": what one does or does not do. Other things are seen to be missing: "no cookies in the browser". */
const PRACTICE =
  '(?:raw|inline|manual|direct|new|more|hard-?coded|magic|global|default|nested|premature|direct|unused|third-party) [\\w-]+|malloc|allocations?|goto|eval|sleeps?|any|' +
  'todos?|comments?|emojis?|jokes?|mocks?|mocking|globals?|singletons?|inheritance|exceptions?|recursion|threads?|async|logging|prints?|' +
  'deploys?|deployments?|releases?|merges?|pushes|force[- ]push(?:es|ing)?|commits?|rebases?|hotfixes|migrations?|downtime|meetings?|calls|' +
  'secrets?|credentials|dependencies|frameworks?|librar(?:y|ies)|tabs|semicolons|abbreviations|acronyms|sql|orms?|classes|ifs?|ternaries|' +
  'side effects|business logic|[\\w]+[._][\\w.]+(?:\\(\\))?'
const ACTIVITY = '(?:you|writing|adding|creating|changing|committing|editing|touching|naming)'

function isFromNowOn({ masked, main }: Clause): boolean {
  return FROM_NOW_ON.test(masked) && !/\bthis (?:file|function|test|one)\b/i.test(main)
}

function isForEveryTime({ masked, main }: Clause): boolean {
  return /^(?:whenever|every time|each time) /i.test(masked) && !/\b(?:this|that)\b/i.test(main)
}

function isForAnActivity(clause: Clause): boolean {
  const activity = pattern(`^(?:when|before|after) ${ACTIVITY}\\b(?! (?:are|have) (?:done|finished))`)
  return (
    activity.test(clause.masked) &&
    isGeneral(clause) &&
    !/\b(?:this|that|the) (?:file|test|function|change|bug|branch)\b/i.test(clause.masked)
  )
}

export const preferences: readonly Rule[] = [
  {
    like: 'I prefer small commits',
    main: /^(?:i|we)(?: would|'d)?(?: really| strongly| generally| usually| also| much| always| definitely)* prefer\b/i,
    unless: /^(?:i|we)\b.* prefer (?:this|that(?! you\b| we\b)|it|these|those|the|your|if you)\b/i,
    when: standsAlone,
  },
  { like: 'Prefer early returns', main: /^prefer (?:to )?[\w-]+ ?\S/i, when: isGeneral },
  { like: "I'd rather have plain SQL", main: /^(?:i|we)(?:'d| would) rather (?!not\b)\w/i, when: isGeneral },
  {
    like: 'My preference is rebase',
    main: /^my (?:strong |general |personal )?(?:preference|favou?rite|default)\b.* (?:is|are) /i,
    when: standsAlone,
  },
  {
    like: 'Never push to main',
    main: /^(?:always|never(?:,? ever,?)?) (?!(?:mind|again|ever|the|a|on|\w+ing|been|seen|worked|had|was|were|got)\b|change\b[.!]?$)[\w-]+ \w/i,
    when: standsAlone,
  },
  { like: "Don't ever rewrite published history", main: /^(?:do not|don't|dont) ever \w/i, when: standsAlone },
  {
    like: 'Do not commit anything without asking',
    main: pattern(`${DONT}${SOOTHING}\\w+ .*\\b(?:without|unless|any ?more|until|before|directly|automatically|by default)\\b`),
    when: isGeneral,
  },
  {
    like: "Don't use abbreviations in names",
    main: pattern(
      `${DONT}${SOOTHING}${AT_HAND}\\w+ (?:any |my |your |own |new )?(?:(?:[\\w-]+ )*?(?:\\w+s|code|text|data)\\b|what (?:we|you|i) |anything )`,
    ),
    when: isGeneral,
  },
  {
    like: "Don't add comments that just repeat the code",
    main: pattern(`${DONT}${SOOTHING}${AT_HAND}\\w+ (?:any )?(?:[\\w-]+ )?[\\w-]+s (?:that|which) \\w+`),
    when: (clause) => isGeneral({ ...clause, main: clause.main.replace(/ (?:that|which) .*$/i, '') }),
  },
  { like: 'Rule: no releases on Fridays', main: /^(?:\S+ ){2,}\S+/, when: (clause) => clause.isRule && standsAlone(clause) },
  {
    like: 'Production is off limits, always',
    main: /^(?:the |our )?[\w-]+(?: [\w-]+){0,4} (?:is|are) off[- ]limits\b/i,
    unless: /^(?:it|this|that|they|these|those)\b/i,
  },
  {
    like: 'No malloc after init',
    main: pattern(
      `^no (?:more )?(?:${PRACTICE}) (?:after|in|on|outside|inside|before|without|during) (?!(?:this|that|my|your|its|any|all|last|mine)\\b)\\S+(?: \\S+){0,4}$`,
    ),
    when: (clause) => isGeneral(opening(clause)) && isLasting(clause),
  },
  {
    like: 'Write all user-facing copy in European Portuguese',
    main: /^(?:[Ww]rite|[Kk]eep|[Pp]hrase|[Ff]ormat) (?:all|every|any|each) .*\bin (?:plain |simple )?[A-Z]\w/,
    when: isGeneral,
  },
  {
    like: 'I use polars, not pandas',
    main: /^i (?:only |always |now |mostly )?(?:use|write|run) \S/i,
    when: hasContrast,
  },
  {
    like: 'Spaces everywhere, 4 of them',
    main: /^[\w-]+(?: [\w-]+)? everywhere(?=[,.;!]|$)/i,
    when: ({ main }) => alternativesIn(main.toLowerCase()).size > 0,
  },
  {
    like: 'Avoid one-letter names',
    main: /^(?:stop|quit|avoid|refrain from) (?!using (?:this|that|it)\b)[\w-]+ .*\w/i,
    unless: /^(?:stop|quit|avoid) (?:the|that|this|it|all the)\b/i,
    when: isGeneral,
  },
  { like: 'Make sure to always quote paths', main: /^(?:make|be) sure (?:to|that you|you) (?:always|never) \w/i, when: standsAlone },
  {
    like: 'No emojis in commit messages',
    main: /^no (?:more )?[\w-]+(?: [\w-]+)*?,? (?:please|ever|any ?more|in (?:commits?|tests?|code|comments?|names?|answers?))\b/i,
    when: isGeneral,
  },
  {
    like: 'Ask me before you change prices',
    main: /^(?:first )?(?:ask|tell|check with|talk to) (?:me|us) (?:first )?before (?:you |\w+ing)/i,
    when: isGeneral,
  },
  {
    like: 'I like to see a diff before you write anything',
    main: /^i (?:would |'d )?(?:like|want|prefer|need) to (?:see|read|approve|review|confirm|know) .*\b(?:before you|first|every time|always)\b/i,
    when: isGeneral,
  },
  {
    like: 'Use British English in all texts',
    main: /^(?:use|write|put|keep|prefer|format|name) \S.* (?:in|for|across|throughout|on) (?:all|every|any|each) \w/i,
    when: isGeneral,
  },
  {
    like: 'Keep answers short',
    main: pattern(`^(?:keep|write|make|give me) (?:your |all |my |the )?${WRITTEN_THINGS} \\w`),
    when: standsAlone,
  },
  {
    like: 'Answer in German',
    main: /^(?:answer|reply|respond|speak|talk|write|explain)(?: to me| everything| comments)? (?:only )?in (?:[A-Z][a-z]+|short|bullet)\b/i,
    when: isGeneral,
  },
  {
    like: 'Use pnpm, not npm',
    main: /^(?:use|put|name|format|install|import|log|run|return|store|call|place|sort|write (?!.*\b(?:says?|section|called|that)\b)) ?\S+/i,
    unless: /^use (?:a|an|the|\d)\b/i,
    when: hasContrast,
  },
  { like: 'Write commit messages in the imperative from now on', main: IMPERATIVE, when: isFromNowOn },
  { like: 'Use tabs in this repo', main: IMPERATIVE, when: isScoped },
  {
    like: 'Whenever you touch the API, update the OpenAPI description',
    main: /^(?!(?:i|we|you|it|the|this|that|they)\b)[a-z-]+ \w/i,
    when: isForEveryTime,
  },
  {
    like: 'When you write tests, use vitest',
    main: /^(?:use|prefer|do(?:n't| not)|write|run|add|ask|show|check|update|keep) \w/i,
    when: isForAnActivity,
  },
  {
    like: 'I hate default exports',
    main: /^i (?:really |absolutely |also |generally )*(?:like|love|enjoy|favou?r|hate|dislike|detest|can(?:not|'t) stand|do(?:n't| not) (?:like|want|need|care for)) /i,
    unless:
      /^i (?:\S+ )*?(?:like|love|enjoy|hate|dislike|want|need) (?:this|that|the|your|how|to (?:see|know|understand|be|have)|you(?! to\b.*\bever\b)|a|an|it(?! when\b)|what|where|my)\b/i,
  },
  { like: 'I no longer want semicolons', main: /^i no longer (?:want|need|like|use) \w/i },
  {
    like: 'I always want to see the failing test first',
    main: /^(?:i|we) (?:always|only|generally|usually) (?:want|need|like|expect) \w/i,
    when: standsAlone,
  },
  {
    like: 'I want all dates in UTC',
    main: /^i (?:want|need|expect|like) (?:all|every|each|no|any|only) \w/i,
    unless: DEFINITE_ONE_OFF,
    when: ({ main }) => /\b(?:always|never|every|each|only|no|all \w+s)\b/i.test(main) && !DEICTIC.test(main),
  },
  {
    like: 'You should always check the types',
    main: /^you (?:should|must|can|may)?\s*(?:always|never|not ever) \w+ \w/i,
    when: standsAlone,
  },
  {
    like: "You don't have to ask before running tests",
    main: /^you (?:must not|mustn't|may not|shall not|are not allowed to|don't have to|do not have to|no longer (?:have|need) to) \w/i,
    when: isGeneral,
  },
  { like: 'We never mock the database', main: pattern(`^we (?:always|never|only ever|only) ${EXPERIENCE}\\w+ \\w`), when: standsAlone },
  { like: 'I usually review in the evening', main: pattern(`^i (?:always|never|usually|only) ${EXPERIENCE}\\w+ \\w`), when: isGeneral },
  {
    like: 'All public functions must have a docstring',
    main: /^(?:all|every|each|any) [\w-]+(?: [\w-]+){0,4} (?:must|should|has to|have to|needs? to) (?:always |never )?\w/i,
    when: isGeneral,
  },
  {
    like: 'Comments should always be in English',
    main: /^(?:[\w-]+ ){1,6}(?:should|must) (?:always|never) \w/i,
    unless: /^(?:it|this|that|someone|we)\b/i,
    when: isGeneral,
  },
  {
    like: 'Tests should live next to the source in this project',
    main: /^(?:the )?[\w-]+(?: [\w-]+){0,4} should (?:not )?(?:live|go|be|use|stay|have|follow|start|end) \w/i,
    unless: /^(?:it|this|that|these|i|we|you|he|she|they|the (?:test|file|function|button|output|result))\b/i,
    when: (clause) => standsAlone(clause) && (CONTRAST.test(clause.main) || THIS_PROJECT.test(clause.masked)),
  },
  {
    like: "Don't suggest Docker",
    main: /^(?:[Dd]o not|[Dd]on't) (?:use|suggest|recommend|propose|install|add|import|introduce|pull in|bring in) (?:any )?[A-Z]\w+/,
    when: (clause) => standsAlone(opening(clause)),
  },
  {
    like: 'When I say ship, I mean: run make release',
    main: /^\S/,
    when: ({ masked }) => /^when i (?:say|ask for|write|type) .*\b(?:i mean|it means|that means|do|run)\b/i.test(masked),
  },
  {
    like: 'I changed my mind: go back to npm',
    main: /^(?:use|go back to|keep|go with|take|stay with|stick with) \S/i,
    unless: /^use (?:a|an|the)\b/i,
    when: (clause) => clause.corrects && standsAlone(clause),
  },
]
