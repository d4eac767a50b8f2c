/** What events say of proposals and their outcomes. Anything may write to the bucket: what is no proposal of ours is passed over. Pure. */
import { ACTION_LIMIT, oneLine, RATIONALE_LIMIT, shortened } from '../ai/proposal.ts'
import type { KeelEvent } from '../memory/store.ts'
import { ACTION_TAKEN, MODE, PROPOSAL_DISMISSED, PROPOSAL_EDITED, PROPOSAL_MADE, PROPOSAL_SNOOZED } from './kinds.ts'

/** `unknown`: it was confirmed, and nobody knows whether the task was added. */
export type Outcome = 'confirmed' | 'dismissed' | 'unactioned' | 'unknown'

export interface RememberedProposal {
  readonly id: string
  readonly at: Date
  /** The user's own words, where they changed it. */
  readonly action: string
  readonly rationale: string
  readonly outcome: Outcome
  readonly outcomeAt?: Date
  /** Of a dismissal. */
  readonly reason?: string
  readonly snoozedUntil?: Date
}

/** Characters of a reason. */
export const REASON_LIMIT = 200
/** A proposal's id has 16; another program's may have more. */
const ID_LIMIT = 100

/** Newest first, each proposal once. `events` are newest first. */
export function rememberedProposals(events: readonly KeelEvent[]): RememberedProposal[] {
  const ours = events.filter(({ data }) => data.mode === MODE || data.mode === undefined)
  const last = (kind: string): Map<string, KeelEvent> => byProposal(ours.filter((event) => event.kind === kind))
  const made = last(PROPOSAL_MADE)
  const [taken, dismissed, edited, snoozed] = [last(ACTION_TAKEN), last(PROPOSAL_DISMISSED), last(PROPOSAL_EDITED), last(PROPOSAL_SNOOZED)]
  return [...made].flatMap(([id, event]) => {
    const action = actionOf(taken.get(id)) || actionOf(edited.get(id)) || actionOf(event)
    if (action === '') return []
    const until = snoozeEnd(snoozed.get(id))
    return {
      id,
      at: event.at,
      action,
      rationale: shortened(textOf(event.data.rationale), RATIONALE_LIMIT),
      ...outcomeOf(taken.get(id), dismissed.get(id)),
      ...(until === undefined ? {} : { snoozedUntil: until }),
    }
  })
}

/** Of several with one id the newest: a copy that came twice is one. */
function byProposal(events: readonly KeelEvent[]): Map<string, KeelEvent> {
  const found = new Map<string, KeelEvent>()
  for (const event of events) {
    const id = event.data.proposal_id
    if (typeof id === 'string' && id !== '' && id.length <= ID_LIMIT && !found.has(id)) found.set(id, event)
  }
  return found
}

/** What was confirmed was confirmed, whatever came before or after. */
function outcomeOf(
  taken: KeelEvent | undefined,
  dismissed: KeelEvent | undefined,
): Pick<RememberedProposal, 'outcome' | 'outcomeAt' | 'reason'> {
  if (taken !== undefined) return { outcome: 'confirmed', outcomeAt: taken.at }
  if (dismissed === undefined) return { outcome: 'unactioned' }
  const reason = shortened(textOf(dismissed.data.reason), REASON_LIMIT)
  return { outcome: 'dismissed', outcomeAt: dismissed.at, ...(reason === '' ? {} : { reason }) }
}

function actionOf(event: KeelEvent | undefined): string {
  return shortened(textOf(event?.data.next_action), ACTION_LIMIT)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? oneLine(value.slice(0, 10_000)) : ''
}

function snoozeEnd(event: KeelEvent | undefined): Date | undefined {
  const minutes = event?.data.minutes
  return event !== undefined && typeof minutes === 'number' && minutes > 0 ? new Date(event.at.getTime() + minutes * 60_000) : undefined
}
