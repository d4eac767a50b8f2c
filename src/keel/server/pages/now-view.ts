/**
 * What the first page says of a state, in words: the server writes it into HTML, the script in the browser into the same elements.
 * Pure, so that both always say the same.
 */
import type { AppState } from '../app.ts'
import { clockTime } from './time.ts'

/** As the state comes: from the daemon itself, or from there as JSON. */
export type ShownState = Pick<AppState, 'offscreen' | 'ai' | 'tasks'> & { readonly memory: ShownMemory }
export type ShownMemory = Omit<AppState['memory'], 'since'> & { readonly since: Date | string }

export type Phase = 'idle' | 'proposing' | 'confirming' | 'proposed' | 'asleep' | 'confirmed' | 'dismissed' | 'failed'

/** Elements that are there or not. */
export type Part = 'start' | 'cancel' | 'decide' | 'change' | 'error' | 'made' | 'by' | 'repeats' | 'rationale'

export interface NowView {
  readonly phase: Phase
  readonly isBusy: boolean
  /** Of the browser's tab. */
  readonly title: string
  readonly proposalId: string
  readonly action: string
  readonly parts: ReadonlySet<Part>
  /** By the name that an element carries in `data-text`. */
  readonly texts: Readonly<Record<'kicker' | 'announced' | 'heading' | 'rationale' | 'by' | 'start' | 'error' | 'hint', string>>
  readonly madeAt?: Date
}

export function nowView(state: ShownState, now: Date): NowView {
  const { offscreen } = state
  const phase = phaseOf(offscreen)
  const { proposal, error } = offscreen
  const action = proposal?.nextAction ?? ''
  const isOpen = phase === 'proposed' || phase === 'asleep'
  const isAbout = isOpen || phase === 'confirming' || phase === 'confirmed' || phase === 'dismissed'
  const { kicker, heading = action, rationale = proposal?.rationale ?? '', start = '' } = words(phase, state, now)
  const parts = new Set<Part>()
  const add = (part: Part, isThere: boolean): void => void (isThere && parts.add(part))
  add('start', start !== '')
  add('cancel', phase === 'proposing')
  add('decide', isOpen || phase === 'confirming')
  add('change', isOpen || phase === 'confirming')
  add('error', error !== undefined)
  add('rationale', rationale !== '')
  add('made', isAbout && proposal !== undefined)
  add('by', isAbout && proposal !== undefined && proposal.by !== '')
  add('repeats', isOpen && proposal?.repeats === true)
  return {
    phase,
    isBusy: offscreen.busy !== undefined,
    title: `${isAbout && action !== '' ? `${kicker}: ${action}` : heading} – Keel`,
    proposalId: isAbout ? (proposal?.id ?? '') : '',
    action: isAbout ? action : '',
    parts,
    texts: {
      kicker,
      announced: isAbout ? action : heading,
      heading,
      rationale,
      by: proposal?.by ?? '',
      start,
      error: error?.message ?? '',
      hint: error?.hint ?? '',
    },
    ...(proposal === undefined ? {} : { madeAt: new Date(proposal.madeAt) }),
  }
}

function phaseOf({ busy, status, outcome, snoozedUntil }: AppState['offscreen']): Phase {
  if (busy !== undefined) return busy
  if (status === 'proposed') return snoozedUntil === undefined ? 'proposed' : 'asleep'
  if (status === 'done') return outcome ?? 'confirmed'
  return status === 'error' ? 'failed' : 'idle'
}

/** What is not named is the proposal's own. */
interface Words {
  readonly kicker: string
  readonly heading?: string
  readonly rationale?: string
  /** On the button that asks for a proposal, or wakes the one there is. */
  readonly start?: string
}

function words(phase: Phase, { offscreen, ai, tasks }: ShownState, now: Date): Words {
  switch (phase) {
    case 'idle':
      return {
        kicker: 'Off screen',
        heading: 'What could you do away from the screen?',
        rationale: 'Keel looks at your tasks, your goals and what it proposed before, and comes back with one thing to do.',
        start: 'Propose something',
      }
    case 'proposing':
      return { kicker: 'One moment', heading: 'Looking for one good thing to do…', rationale: ai === '' ? '' : `Asking ${ai}.` }
    case 'confirming':
      return { kicker: 'Confirming' }
    case 'proposed':
      return { kicker: 'Proposed' }
    case 'asleep':
      return { kicker: `Snoozed until ${clockTime(new Date(offscreen.snoozedUntil!), now)}`, start: 'Wake it now' }
    case 'confirmed':
      return {
        kicker: 'Confirmed',
        rationale: tasks === 'none' ? 'Off you go. The screen can wait.' : `It is among your tasks in ${tasks}. The screen can wait.`,
        start: 'Propose something else',
      }
    case 'dismissed':
      return {
        kicker: 'Dismissed',
        rationale: 'It will not come straight back.',
        start: 'Propose something else',
      }
    case 'failed':
      return { kicker: 'No proposal', heading: 'This time nothing came back.', rationale: '', start: 'Try again' }
  }
}
