/**
 * What the first page says of a state, in words: the server writes it into HTML, the script in the browser into the same elements.
 * Pure, so that both always say the same.
 */
import type { AppState } from '../app.ts'
import type { Notice } from './notice.ts'
import { clockTime } from './time.ts'

/** As the state comes: from the daemon itself, or from there as JSON. */
export type ShownState = Pick<AppState, 'offscreen' | 'ai' | 'tasks'> & { readonly memory: ShownMemory }
export type ShownMemory = Omit<AppState['memory'], 'since'> & { readonly since: Date | string }

export type Phase = 'idle' | 'proposing' | 'confirming' | 'proposed' | 'asleep' | 'confirmed' | 'dismissed' | 'failed'

/** Elements that are there or not. */
export type Part = 'start' | 'undo' | 'cancel' | 'decide' | 'change' | 'error' | 'made' | 'by' | 'repeats' | 'rationale'

/** `warning`: what comes next may do something twice. */
export type Tone = 'failure' | 'warning'

/** What the mode says of a task that may have been added. */
const PERHAPS_ADDED = 'task_create_unknown'

const REPEATS = {
  confirmed: 'You confirmed much the same within the last day.',
  dismissed: 'You dismissed much the same within the last day.',
  put_aside: 'You put much the same aside within the last day.',
  unknown: 'You confirmed much the same within the last day, and it may have been added.',
} as const

type TextName = 'kicker' | 'announced' | 'heading' | 'rationale' | 'repeats' | 'by' | 'start' | 'confirm' | 'error' | 'hint'

export interface NowView {
  readonly phase: Phase
  /** Of the error, where there is one. */
  readonly tone: Tone
  /** Of the browser's tab. */
  readonly title: string
  readonly proposalId: string
  readonly action: string
  readonly parts: ReadonlySet<Part>
  /** By the name that an element carries in `data-text`. */
  readonly texts: Readonly<Record<TextName, string>>
  readonly madeAt?: Date
}

/** `refused`: what the last command of this page was refused for; it goes before what the state says. */
export function nowView(state: ShownState, now: Date, refused?: Omit<Notice, 'key'>): NowView {
  const { offscreen } = state
  const phase = phaseOf(offscreen)
  const { proposal } = offscreen
  const error = refused ?? offscreen.error
  const isPerhapsAdded = offscreen.error?.code === PERHAPS_ADDED
  const action = proposal?.nextAction ?? ''
  const isOpen = phase === 'proposed' || phase === 'asleep'
  const isAbout = isOpen || phase === 'confirming' || phase === 'confirmed' || phase === 'dismissed'
  const { kicker, heading = action, rationale = proposal?.rationale ?? '', start = '' } = words(phase, state, now)
  const parts = new Set<Part>()
  const add = (part: Part, isThere: boolean): void => void (isThere && parts.add(part))
  add('start', start !== '')
  add('undo', phase === 'dismissed')
  add('cancel', phase === 'proposing')
  add('decide', isOpen || phase === 'confirming')
  add('change', isOpen || phase === 'confirming')
  add('error', error !== undefined)
  add('rationale', rationale !== '')
  add('made', isAbout && proposal !== undefined)
  add('by', isAbout && proposal !== undefined && proposal.by !== '')
  add('repeats', isOpen && proposal?.repeats !== undefined)
  return {
    phase,
    // The answer to the command says the same as the state.
    tone: isPerhapsAdded && error?.message === offscreen.error?.message ? 'warning' : 'failure',
    title: `${isAbout && action !== '' ? `${kicker}: ${action}` : heading} – Keel`,
    proposalId: isAbout ? (proposal?.id ?? '') : '',
    action: isAbout ? action : '',
    parts,
    texts: {
      kicker,
      announced: isAbout ? action : heading,
      heading,
      rationale,
      repeats: proposal?.repeats === undefined ? '' : REPEATS[proposal.repeats],
      by: proposal?.by ?? '',
      start,
      confirm: isPerhapsAdded ? 'Confirm all the same' : 'Confirm',
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
      return { kicker: offscreen.error?.code === PERHAPS_ADDED ? 'Perhaps added' : 'Proposed' }
    case 'asleep':
      return { kicker: `Snoozed until ${clockTime(new Date(offscreen.snoozedUntil!), now)}`, start: 'Wake it now' }
    case 'confirmed':
      return {
        kicker: 'Confirmed',
        rationale: `${whereItIs(offscreen, tasks)} The screen can wait.`,
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

function whereItIs({ existing }: AppState['offscreen'], tasks: string): string {
  if (existing) return 'It is on your list already.'
  return tasks === 'none' ? 'Off you go.' : `It is among your tasks in ${tasks}.`
}
