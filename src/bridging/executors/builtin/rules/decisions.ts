/** What the user or the team settled. Plans, trials and "option 2" are none. */
import type { Clause } from '../clause.ts'
import { CONTRAST } from '../patterns.ts'
import { isGeneral, opening, pattern, type Rule, standsAlone, withoutNow } from './rule.ts'

const LETS = "^(?:let's|lets|let us) "
/** "let's go with the second": what that was is not in the sentence. */
const NAMED = '(?!(?:the (?:first|second|third|last|other|simple|latter|former|one)|your|what|whatever)\\b)'
const WE_ARE_DOING =
  '(?:going with|going for|switching|moving|migrating|standardi[sz]ing|dropping|adopting|deprecating|keeping|sticking|retiring|replacing|' +
  'freezing|sunsetting|no longer|going to (?:use|keep|drop|ship|support|adopt|migrate|move|switch|translate|deprecate))'
const WE_WILL =
  '(?:use|using|go with|stick (?:with|to)|keep|drop|support|ship|adopt|standardi[sz]e|deprecate|migrate|switch|move|store|host|release|version|target)'

function endsSomething(clause: Clause): boolean {
  return isGeneral(clause) && (/\b(?:no longer|any ?more)\b/i.test(clause.main) || CONTRAST.test(clause.main))
}

export const decisions: readonly Rule[] = [
  {
    like: "Let's go with Postgres for the ledger",
    main: pattern(
      `${LETS}(?:go with|go for|stick (?:with|to)|standardi[sz]e on|settle (?:on|for)|adopt|switch to|move to|choose|pick|rely on|drop support|agree (?:on|that)|migrate to) ${NAMED}\\S`,
    ),
    when: isGeneral,
  },
  {
    like: "Let's use Redis streams for the queue",
    main: pattern(`${LETS}(?:use|keep|drop|ship|support|not (?:use|support|ship|add|allow)) (?!(?:the|a|an|your|my|going)\\b|\\d)\\S`),
    when: isGeneral,
  },
  {
    like: "Let's keep the old endpoint until September",
    main: pattern(`${LETS}(?:keep|leave|support) .* (?:until|till|as long as) \\S`),
    when: isGeneral,
  },
  {
    like: 'We decided to drop support for Node 18',
    main: /^(?:we|i|the team|[a-z]+ and i)(?: have|'ve)?(?: all| both| now| just| finally| already)? (?:decided|agreed|chose|chosen|settled on|opted|resolved to|picked|committed to|signed off on)\b(?: yesterday| today| last week| now| finally)?(?! (?:this|that one|it|to (?:try|wait|look|see))\b)/i,
  },
  {
    like: 'The decision is to deprecate the v1 API',
    main: /^(?:the |our )?(?:final |team's )?decision(?: is| was|:| -| —)(?: made:?)? \S/i,
  },
  {
    like: 'Decision from the meeting: events are versioned',
    main: /^(?:the |our )?(?:final )?(?:decision|outcome|conclusion)\b[^:]{0,60}: \S/i,
  },
  { like: 'Decided: no ORM', main: /^decided: \S/i },
  {
    like: 'We ended up going with server-side rendering',
    main: /^we ended up (?:with|going with|using|choosing|picking|moving|keeping|dropping) \S/i,
  },
  { like: "We're going with Fastify", main: pattern(`^we(?:'re| are) (?:now |not )?${WE_ARE_DOING}\\b`), when: standsAlone },
  {
    like: "We've standardised on pnpm",
    main: /^we(?:'ve| have)(?: all| now| just| finally)? (?:standardi[sz]ed on|adopted|dropped|deprecated|retired|replaced|committed to|gone with) \S/i,
    when: standsAlone,
  },
  {
    like: "We'll use feature flags for the rollout",
    main: pattern(`^we(?:'ll| will) (?:not |never |only |keep |continue )?${WE_WILL} (?!(?:the (?:first|second|other)|a)\\b)\\S`),
    when: isGeneral,
  },
  {
    like: "We won't support Internet Explorer",
    main: /^we (?:won't|will not|are not going to|aren't going to) (?:use|support|ship|add|translate|allow|merge|migrate|accept|store|cache|build|do any) \S/i,
    when: isGeneral,
  },
  {
    like: 'We moved from CircleCI to GitHub Actions',
    main: /^we(?:'ve| have)?(?: just| recently| now)? (?:moved|switched|migrated|changed|upgraded|converted|transitioned) (?:\w+ )*?(?:from|to|off|over to|away from) (?!the (?:next|other|previous|new|first|second)\b)\S/i,
    unless: /\bto the [a-z]+[.!]?$/i,
    when: (clause) => standsAlone(withoutNow(opening(clause))),
  },
  {
    like: 'We no longer support Windows 7',
    main: /^we (?:no longer|don't|do not) (?:use|support|ship|deploy|need|run|allow|accept|have) .*\w/i,
    when: endsSomething,
  },
  {
    like: 'Plain CSS it is, no Tailwind',
    main: /^(?!(?:an?|the|\w+day|today|tomorrow|tonight|next|\d\S*|noon|lunch|coffee)\b)(?:[\w.+#-]+ ){1,3}it is(?: then)?(?=[,.;!]|$)/i,
    unless:
      /\b(?:as|how|what|that|where|who|way|whatever|like|than|because|if|when|since|which|think|know|sure|says?|sees?|so|and|but|or|this|there|here) it is\b/i,
  },
  {
    like: 'Support for Safari 14 was dropped',
    main: /^support for \S+.* (?:was|is|has been|will be) (?:dropped|removed|added|discontinued)\b/i,
  },
]
