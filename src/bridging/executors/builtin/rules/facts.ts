/** How things stand: around the user (`people`) and around the project (`facts`). Each needs something concrete in it. */
import type { Clause } from '../clause.ts'
import { CONTRAST, DEFINITE_ONE_OFF, isConcrete, MOMENTARY } from '../patterns.ts'
import {
  isConcreteFact,
  isCorrection,
  isGeneral,
  isLasting,
  isScoped,
  opening,
  pattern,
  type Rule,
  standsAlone,
  withoutNow,
} from './rule.ts'

const MADE =
  'called|named|hosted|deployed|located|owned|maintained|written|stored|served|mounted|kept|built|managed|cached|refreshed|rotated|generated|based|run|' +
  'returned|encoded|formatted|sent|represented|versioned|signed|released|published|drained|backed up|logged|validated|prefixed|ordered|sorted|' +
  'encrypted|hashed|counted|billed|reviewed|tested'
/** What a place, service or thing is or does by nature. */
const NATURE =
  'runs?|deploys|publishes|moves? to|(?:has |have )?moved to|listens?|lives?|sits?|resides?|stays?|uses?|needs?|requires?|expects?|depends?|belongs?|expires?|talks?|points?|serves?|speaks?|' +
  `stands? for|means?|goes? through|follows?|(?:is|are) (?:${MADE})|are (?:strings?|integers?|numbers?|uuids?)|` +
  'was (?:dropped|removed|renamed|replaced|moved)|has (?:only )?(?:\\d|a|an|two|three|four)|have (?:only )?\\d|has to|must|owns?|maintains?|leads?'
/** Things that are set once and asked for often. */
const SETTING =
  'port|size|max(?:imum)?|quota|interval|ttl|retention|threshold|sla|url|uri|address|host(?:name)?|endpoint|domain|branch|region|zone|limit|' +
  'timeout|deadline|freeze|launch|release|cutover|go-live|name|e-?mail|account|id|path|folder|directory|config(?:uration)?|database|db|schema|' +
  'server|bucket|cluster|cache|broker|queue|topic|version|team|owner|maintainer|schedule|window|repo(?:sitory)?|service|api|environment|channel|board|budget|' +
  'tokens|dashboard|vpn|proxy|registry|format|encoding|time ?zone|currency|language|stack|backend|frontend|editor|shell|system|staging|' +
  'production|prod|dev(?:elopment)?'
/** What a team does by habit. */
const HABIT =
  'use|do|deploy|host|run|store|ship|release|publish|log|track|build|test|write|keep|follow|rely on|depend on|target|support|pin|tag|branch|sign|cache|monitor|review'
const TIMES =
  '\\b(?:every|each|once (?:a|per)|twice (?:a|per)|once every) (?:\\d+ )?(?:seconds?|minutes?|hours?|days?|nights?|weeks?|months?|quarters?|' +
  '(?:[Mm]on|[Tt]ues|[Ww]ednes|[Tt]hurs|[Ff]ri|[Ss]atur|[Ss]un)days?)\\b'
const TROUBLE = 'fails?|breaks?|hangs?|complains?|errors?|stalls?|crashes|times out|you (?:see|get)|shows?|says'
const REMEDY =
  'run|start|restart|set|use|delete|clear|rerun|install|rebuild|reset|remove|log in|reconnect|increase|call|ask|kill|export|check'

const FAMILIAR =
  'dog|cat|pet|wife|husband|partner|spouse|son|daughter|child|kids?|children|baby|sister|brother|mother|father|mom|mum|dad|boat|car|bike'

const WORD = "[\\w./+#&'-]+"
/** "our nightly export", "the API", "Production", "ERR_LEDGER_17". */
const SUBJECT = `(?:(?:[Oo]ur|[Mm]y|[Tt]he|[Aa]ll|[Ee]very|[Ee]ach) (?:${WORD} ){0,5}?${WORD}|[A-Z][\\w./+#-]*(?: ${WORD}){0,3}?|\`[^\`]+\`)`
/** Any noun phrase, with or without article: only before predicates that speak of how things are made to be. */
const NOUNS = `(?:[Tt]he |[Aa]ll |[Ee]very )?[A-Za-z]${WORD}(?: ${WORD}){0,5}?`
/** No subject of a fact about the project; the user's family and pets are none either. */
const NO_SUBJECT = pattern(
  '^(?:i|we|you|it|this|that|these|those|they|he|she|there|here|please|use|add|make|what|which|who|if|when|then|not|no|a|an|one|something|someone|nothing|everything|whoever|whatever|in|on|at|for|with|so|and|but|or|because|as|now|today|first|next|' +
    `my (?:${FAMILIAR}))\\b`,
)

/** "If the suite fails with X, the emulator is not running; start it with Y." */
function isRemedy({ masked }: Clause): boolean {
  const remedy = pattern(
    `^(?:if|when(?:ever)?) .{3,80}\\b(?:${TROUBLE})\\b.*[,;] ?(?:just |then |you (?:have|need) to |please )?(?:${REMEDY})\\b`,
  )
  return remedy.test(masked) && !/\b(?:this|that) (?:test|file|time)\b/i.test(masked)
}

const isMadeSo = (clause: Clause): boolean => isGeneral(withoutNow(clause)) && isLasting(clause)

export const people: readonly Rule[] = [
  {
    like: 'My name is Reviewer',
    main: pattern(
      `^[Mm]y (?:full |first |last |GitHub |github |work )?(?:name|e-?mail|handle|title|role|time ?zone|editor|shell|laptop|machine|os|manager|team|username|pronouns?) (?:is|are|runs|uses) \\S`,
      'exactCase',
    ),
    unless: MOMENTARY,
  },
  {
    like: "I'm based in Lisbon",
    main: /^i(?:'m| am) (?:a|an|the|on the|in the|in|based|located|responsible|working (?:on|at|for|in|as) (?!it|this|that|the (?:bug|fix|test|file))|using|new to|part of|from) ?(?!bit\b|little\b|lot\b|fan of (?:this|that)|confused\b|middle\b|process\b|same\b|one\b)\S/i,
    unless: MOMENTARY,
    when: (clause) => standsAlone(opening(clause)),
  },
  { like: "I'm Operator", main: /^[Ii](?:'m| am) (?!OK\b|Done\b)[A-Z][a-z]+\b(?! (?:to|that))/ },
  {
    like: 'My dog is called Cookie',
    main: pattern(`^[Mm]y (?:${FAMILIAR}) (?:is|are|'s) (?:called|named) [A-Z]`, 'exactCase'),
  },
  {
    like: 'I moved to Porto last month',
    main: /^[Ii](?:'ve| have)? (?:just |recently |now )?(?:moved to|(?:now )?live in|joined) (?:[A-Z]\w+|the [\w-]+(?: [\w-]+)? team\b)/,
  },
  {
    like: 'I switched from VS Code to Zed',
    main: /^i(?:'ve| have)? (?:just |recently |now )?(?:switched|moved|changed) from \S.* to \S/i,
    when: isConcreteFact,
  },
  {
    like: 'I work on the billing team',
    main: /^i (?:work|look after|live|maintain|own|lead|manage|run|use|develop|speak|code|write) (?:on |at |for |in |as |with |from )?(?!it\b|this\b|that\b|to\b)\S/i,
    when: (clause) =>
      isGeneral(opening(clause)) &&
      isLasting(clause) &&
      (isConcrete(opening(clause).main) || /^i (?:work|look after|live|lead|own|maintain|manage)\b/i.test(clause.main)),
  },
]

export const facts: readonly Rule[] = [
  {
    like: 'ERR_LEDGER_17 means a closed period',
    main: pattern(
      `^(?:${SUBJECT}|[\\w./-]+) (?:means|stands for|owns|maintains|leads|is responsible for|is in charge of) (?!that (?:we|i)\\b)\\S`,
      'exactCase',
    ),
    unless:
      /^(?:it|this|that|which|what)\b|^(?:the )?(?:error|warning|message|output|log) means|\b(?:in|of|on|for) (?:this|that|these|those) \w/i,
    when: ({ main }) => isConcrete(main.split(/ means? /, 1)[0]!) || !MOMENTARY.test(main.replace(/.*?\bmeans\b/i, '')),
  },
  {
    like: 'The staging URL is https://staging.example.com',
    main: pattern(
      `^(?:our|my|the) (?:${WORD} ){0,4}?(?:${SETTING})s? (?:is|are|was moved to|has moved to|moved to|changed to|lives?|runs?|sits?) \\S`,
    ),
    when: isConcreteFact,
  },
  {
    like: 'The wake interval is 10 minutes now',
    main: pattern(`^(?:(?:our|my|the) )?(?:${WORD} ){0,4}?(?:${SETTING})s? (?:is|are) (?:now \\S|(?:\\S+ ){1,4}now\\b)`),
    unless: NO_SUBJECT,
    when: isConcreteFact,
  },
  {
    like: "The staging database moved, it's now pg-2.example.com",
    main: pattern(
      `^${NOUNS} (?:(?:has |have |was |were )?(?:moved|changed)|(?:is|are) no longer [^,;]+)[,;:]? (?:and |so |but )?(?:it's|it is|they are|they're|is|are) (?:now )?\\S`,
    ),
    unless: NO_SUBJECT,
    when: isConcreteFact,
  },
  {
    like: 'The raw data is in s3://archive/raw',
    main: pattern(`^${NOUNS} (?:is|are|lives?) (?:now )?(?:in|at|on|under) [a-z][a-z0-9+]*://\\S`),
    unless: /^(?:the |an? )?(?:screenshot|recording|log|trace|stack trace|dump|cause|crash|bug)\b/i,
    when: isGeneral,
  },
  {
    like: "It's hosted on Netlify, the domain is shop.example",
    main: /^(?:[Ii]t's|[Ii]t is) (?:(?:an? )?[A-Z]\w+(?: \w+)?, )?(?:hosted|deployed|built|written|running) (?:on|with|in|by) [A-Z]\w/,
  },
  {
    like: 'Only the release manager can approve a deployment',
    main: /^only (?!(?:you|one|two|three|\d|this|that|it|then|i|when|if|tests?|some|a|an)\b)[\w-]+(?: [\w-]+){0,6} (?:can|may|must|(?:is|are) allowed to) (?:approve|merge|deploy|release|touch|rotate|change|edit|access|push|sign|publish|reopen|restart|delete|grant|write|open|close|add)\b/i,
    when: (clause) => isGeneral(clause) && isLasting(clause),
  },
  {
    like: 'A device counts as active if it reported within 7 days',
    main: /^(?:an?|the|every|each) [\w-]+(?: [\w-]+){0,3} (?:counts? as|is considered|is defined as|qualifies as) \S/i,
    when: (clause) => isLasting(clause) && isGeneral({ ...clause, main: clause.main.replace(/\b(?:if|when|once|unless)\b.*/i, '') }),
  },
  {
    like: 'QA signs off every release',
    main: pattern(`^(?:(?:the|our) )?[\\w-]+(?: [\\w-]+){0,3}? (?:signs? off(?: on)?|approves?|reviews?) (?:every|all|each) \\S`),
    unless: NO_SUBJECT,
    when: isMadeSo,
  },
  {
    like: 'The API runs on port 8081',
    main: pattern(`^(?:${SUBJECT}) (?:now |only |always |also )?(?:${NATURE})\\b`, 'exactCase'),
    unless: NO_SUBJECT,
    when: isConcreteFact,
  },
  {
    like: 'Our design tokens are in packages/tokens',
    main: pattern(`^our (?:${WORD} ){0,4}?[\\w-]+ (?:is|are) \\S`),
    when: isConcreteFact,
  },
  {
    like: 'Production is on Kubernetes 1.31',
    main: pattern(
      '^(?:Production|Prod|Staging|Development|Dev|CI|QA|The (?:main|default|release) branch) (?:is|are|runs|lives|uses) \\S',
      'exactCase',
    ),
    when: isConcreteFact,
  },
  {
    like: 'Python 3.12 is the minimum version',
    main: pattern(`^(?:${SUBJECT}) (?:is|are) (?:the|our) (?:[\\w-]+ ){0,3}(?:${SETTING}|default|standard|minimum)\\b`, 'exactCase'),
    unless: NO_SUBJECT,
    when: isConcreteFact,
  },
  {
    like: 'We use feature branches',
    main: /^we (?:use|follow|rely on|target|support|practi[sc]e) (?!(?:it|this|that|these|those|the|a|an|to)\b)\S/i,
    when: isMadeSo,
  },
  {
    like: 'We use Datadog for metrics',
    main: pattern(`^we (?:currently |still |only |now |mostly )?(?:${HABIT}) (?!(?:it|this|that|the (?:test|file|same))\\b)\\S`),
    when: (clause) => (standsAlone(clause) && isConcreteFact(clause)) || isScoped(clause),
  },
  {
    like: 'Actually, the config lives in infra/helm',
    main: /^(?:the )?[\w./+#-]+(?: [\w./+#-]+){0,5} (?:is|are|lives?|runs?|sits?|uses?|returns?|needs?|moved|expects?|takes?) \S/i,
    unless: /^(?:it|this|that|there|here|they|he|she|you|i|we)\b/i,
    when: isCorrection,
  },
  {
    like: 'No, shop sends its events to kafka-2 and not to kafka-1',
    main: pattern(`^${NOUNS} [a-z]{2,}s \\S`),
    unless: NO_SUBJECT,
    when: (clause) => clause.corrects && CONTRAST.test(clause.main) && isConcreteFact(clause),
  },
  {
    like: "It's called order-router, not dispatch",
    main: /^(?:it's|it is|they're|they are|we) (?:now |called |named |on |at |in |use |deploy |run )*\S+/i,
    when: (clause) => CONTRAST.test(clause.main) && isConcreteFact(clause),
  },
  {
    like: 'Prices are stored as integers',
    main: pattern(
      `^${NOUNS} (?:is|are) (?:${MADE}) (?:as|in|by|with|on|at|from|to|under|through|via|for|into|after|before|per)\\b`,
      'exactCase',
    ),
    unless: NO_SUBJECT,
    when: isMadeSo,
  },
  {
    like: 'Migrations must be backwards compatible',
    main: pattern(`^${NOUNS} (?:must|has to|have to|may only|can only|(?:is|are) (?:always|never)) (?:not )?\\w`, 'exactCase'),
    unless: NO_SUBJECT,
    when: isMadeSo,
  },
  {
    like: 'Error handling goes through Result types',
    main: pattern(`^${NOUNS} (?:${NATURE})\\b`, 'exactCase'),
    unless: NO_SUBJECT,
    when: (clause) => isGeneral(clause) && isConcreteFact(clause),
  },
  {
    like: 'The rotation changes every Monday',
    main: pattern(`^${NOUNS} (?:[a-z]+s|(?:is|are) [a-z]+) .*?${TIMES}`, 'exactCase'),
    unless: NO_SUBJECT,
    when: isMadeSo,
  },
  { like: 'In our codebase services are classes', main: pattern(`^${NOUNS} (?:is|are) \\S`), unless: NO_SUBJECT, when: isScoped },
  {
    like: 'Our gateway times out after 29 seconds',
    main: pattern(`^our (?:${WORD} ){0,4}?[\\w-]+ [a-z]+s \\S`),
    when: (clause) => isGeneral(clause) && isConcreteFact(clause),
  },
  {
    like: "We're on Java 21",
    main: /^we(?:'re| are) (?:still |now |all |only )?(?:on|at|in|using|running|hosted on|based in) \S/i,
    when: isConcreteFact,
  },
  { like: 'If the suite fails with ECONNREFUSED, start the emulator', main: /^\S/, when: isRemedy },
  {
    like: 'This is a monorepo with 14 packages',
    main: /^this is an? (?:\w+ )?(?:monorepo|repo|project|app|service|library|package|website|cli|plugin)\b/i,
    when: isConcreteFact,
  },
  {
    like: 'Remember that full backups take a whole night',
    main: /^(?:\S+ ){2,}\S+/,
    unless: /^(?:it|this|that|these|those|they|to|when)\b/i,
    when: (clause) => clause.reminds && isLasting(clause) && !pattern(`^${DEFINITE_ONE_OFF.source}`).test(clause.main),
  },
]
