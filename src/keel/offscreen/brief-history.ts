/** The brief's lines about what was recently proposed, and what became of it. Pure. */
import type { KeelEvent } from '../memory/store.ts'
import { relativeAge } from './relative-age.ts'
import { type RememberedProposal, recentProposals } from './remembered.ts'

/** How many of the newest proposals are looked at. */
export const RECENT_PROPOSALS = 5
/** How old one of them may be, in milliseconds. */
export const RECENT_WINDOW = 7 * 24 * 60 * 60 * 1000

/** The proposer shall take what was confirmed as decided, whatever came of it. */
const WORDS = {
  confirmed: 'confirmed',
  dismissed: 'dismissed',
  put_aside: 'put aside',
  unactioned: 'unactioned',
  unknown: 'confirmed, but perhaps not added',
} as const

/** Newest first; empty where nothing recent is left. `events` are newest first. */
export function briefHistory(events: readonly KeelEvent[], now: Date): string {
  return recentProposals(events, now)
    .slice(0, RECENT_PROPOSALS)
    .filter(({ at }) => now.getTime() - at.getTime() <= RECENT_WINDOW)
    .map((proposal) => `- ${described(proposal, now)}\n`)
    .join('')
}

/**
 * Quoted as JSON does it. Control characters and line ends, which Go's %q writes as escapes, are gone before: for what is left both are
 * the same, except that Go also escapes what it cannot print.
 */
function described({ action, original, outcome, at, reason }: RememberedProposal, now: Date): string {
  const why = reason === undefined ? '' : `, because ${JSON.stringify(reason)}`
  const instead = original === undefined ? '' : `, in place of ${JSON.stringify(original)}`
  return `${JSON.stringify(action)} (${WORDS[outcome]}, ${relativeAge(now.getTime() - at.getTime())}${why}${instead})`
}
