/**
 * Tells orders from talk. "Build a converter. Never print anything but JSON. Every row must become one object." speaks of the thing to be
 * built: its rules end with the order, however much they look like wishes for good.
 */
import type { Clause } from './clause.ts'
import { THIS_PROJECT } from './patterns.ts'

/** `order`: something is to be made, and the rest may describe it. */
export type MessageKind = 'talk' | 'order'

const ERRAND =
  /^(?:(?:ok(?:ay)?|hi|hey|hello|now|next|then|great|thanks|first|so|please|pls|can you|could you|would you|i (?:want|need|would like|'d like) (?:you to|a|an)|we need (?:to|a|an)|you (?:should|will|are going to)|your task is to|task|todo|let's|help me)[,:!.]?\s+)*(?:build|implement|create|write|add|make|develop|design|refactor|rewrite|generate|set up|port|migrate|convert|extend|replace|introduce|draft|prepare|scaffold|review|fix|change|update|improve|script|page|function|service|component|tool|cli|app)\b/i
const DESCRIPTION =
  /^(?:requirements?|acceptance criteria|spec(?:ification)?|user story|goal|context|background|scope|tasks?|details|behaviou?r)\b\s*:?$/i
/** The message itself says that it is about how to work. */
const HOUSE_RULES =
  /\b(?:rules|guidelines|conventions|preferences|house style|style guide|working agreements?|ground rules|how (?:i|we) work)\b/i
/** Statements that say by whom or for how long they hold. */
const EXPLICIT =
  /^(?:i|i'[md]|i've|we|we'(?:re|ll|ve)|our|my|let's|lets|let us|decision|decided|the decision|support for|ask (?:me|us)|if .*\b(?:fails?|breaks?)\b)(?!\w)/i
const FROM_NOW_ON = /\b(?:from now on|going forward|in (?:the )?future|henceforth|as a rule|at all times|whenever you|every time)\b/i
/** In which language things are written holds for more than the page at hand. */
const HOUSE_LANGUAGE = /^(?:write|keep) (?:all|every|any|each) .*\bin [A-Z]/i
/** How the agent works, whatever it works on. */
const WORKING_HABIT =
  /\b(?:commits?|commit messages?|committing|push(?:ing)?|merg(?:e|ing)|rebas(?:e|ing)|branch(?:es)?|pull requests?|prs?|lint(?:er|ing)?|formatter|run (?:the )?(?:tests|linter|checks|type)|dependenc(?:y|ies)|ask (?:me|us)|before you|your answers?|answers|replies|reply|respond|code comments?|secrets?|credentials)\b/i

export function messageKind(said: readonly string[]): MessageKind {
  const [first = ''] = said
  if (said.length < 2 || said.slice(0, 2).some((sentence) => HOUSE_RULES.test(sentence))) return 'talk'
  return ERRAND.test(first) || said.some((sentence) => DESCRIPTION.test(sentence)) ? 'order' : 'talk'
}

/** Whether a statement within an order holds beyond it. */
export function outlivesTheOrder({ main, masked, reminds, corrects, isRule }: Clause): boolean {
  return (
    reminds ||
    corrects ||
    isRule ||
    EXPLICIT.test(main) ||
    FROM_NOW_ON.test(masked) ||
    THIS_PROJECT.test(masked) ||
    WORKING_HABIT.test(main) ||
    HOUSE_LANGUAGE.test(main)
  )
}
