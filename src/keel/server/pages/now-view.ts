/**
 * What the first page says of a state, in words: the server writes it into HTML, the script in the browser into the same elements.
 * Pure, so that both always say the same.
 */
import type { AppState } from '../app.ts'
import { proposerName } from './names.ts'
import { alertWords, type Notice } from './notice.ts'
import { clockTime } from './time.ts'

/** As the state comes: from the daemon itself, or from there as JSON. */
export type ShownState = Pick<AppState, 'offscreen' | 'ai' | 'tasks'> & { readonly memory: ShownMemory }
export type ShownMemory = Omit<AppState['memory'], 'since'> & { readonly since: Date | string }

export type Phase = 'idle' | 'proposing' | 'confirming' | 'proposed' | 'asleep' | 'confirmed' | 'dismissed' | 'failed'

/** Elements that are there or not. */
export type Part = 'start' | 'undo' | 'why' | 'cancel' | 'decide' | 'settings' | 'error' | 'full' | 'foot' | 'by' | 'repeats' | 'rationale'

/** `warning`: what comes next may do something twice. */
export type Tone = 'failure' | 'warning'

/** What the mode says of a task that may have been added. */
const PERHAPS_ADDED = 'task_create_unknown'

/** In place of what it otherwise begins with. */
const DUE = 'It is time'

const REPEATS = {
  confirmed: 'You confirmed much the same within the last day.',
  dismissed: 'You dismissed much the same within the last day.',
  put_aside: 'You put much the same aside within the last day.',
  unknown: 'You confirmed much the same within the last day, and it may have been added.',
} as const

type TextName =
  | 'kicker'
  | 'announced'
  | 'heading'
  | 'rationale'
  | 'repeats'
  | 'adds'
  | 'by'
  | 'start'
  | 'confirm'
  | 'error'
  | 'full'
  | 'hint'

export interface NowOptions {
  /** What the last command of this page was refused for: it goes before what the state says. */
  readonly refused?: Omit<Notice, 'key'> | undefined
  /** A snooze has ended while nobody looked: the title says so. */
  readonly isDue?: boolean
}

export interface NowView {
  readonly phase: Phase
  /** Of the error, where there is one. */
  readonly tone: Tone
  /** Of the browser's tab. */
  readonly title: string
  readonly proposalId: string
  readonly action: string
  /** `true` where to confirm may do twice what it does, and the page says so; else empty. */
  readonly again: string
  readonly parts: ReadonlySet<Part>
  /** By the name that an element carries in `data-text`. */
  readonly texts: Readonly<Record<TextName, string>>
  readonly madeAt?: Date
}

export function nowView(state: ShownState, now: Date, { refused, isDue = false }: NowOptions = {}): NowView {
  const { offscreen } = state
  const phase = phaseOf(offscreen, now)
  const { proposal } = offscreen
  const error = refused ?? offscreen.error
  const isPerhapsAdded = offscreen.error?.code === PERHAPS_ADDED
  const action = proposal?.nextAction ?? ''
  const isOpen = phase === 'proposed' || phase === 'confirming'
  const isAbout = isOpen || phase === 'asleep' || phase === 'confirmed' || phase === 'dismissed'
  const { kicker, heading = action, rationale = why(proposal), start = '' } = words(phase, state, now)
  const said = alertWords(error)
  const parts = new Set<Part>()
  const add = (part: Part, isThere: boolean): void => void (isThere && parts.add(part))
  add('start', start !== '')
  add('undo', phase === 'dismissed')
  add('why', phase === 'dismissed' && offscreen.reason === undefined)
  add('cancel', phase === 'proposing')
  add('decide', isOpen)
  add('settings', phase === 'failed')
  add('error', error !== undefined)
  add('full', said.full !== '')
  add('rationale', rationale !== '')
  add('foot', isOpen)
  add('by', isOpen && proposal !== undefined && proposal.by !== '')
  add('repeats', phase === 'proposed' && proposal?.repeats !== undefined)
  const title = isDue && phase === 'proposed' ? DUE : kicker
  return {
    phase,
    // The answer to the command says the same as the state.
    tone: isPerhapsAdded && error?.message === offscreen.error?.message ? 'warning' : 'failure',
    title: `${isAbout && action !== '' ? `${title}: ${action}` : heading} – Keel`,
    proposalId: isAbout ? (proposal?.id ?? '') : '',
    action: isAbout ? action : '',
    again: isPerhapsAdded ? 'true' : '',
    parts,
    texts: {
      kicker,
      announced: isAbout ? action : heading,
      heading,
      rationale,
      repeats: proposal?.repeats === undefined ? '' : REPEATS[proposal.repeats],
      adds: whatConfirmingDoes(state.tasks, isPerhapsAdded),
      by: proposerName(proposal?.by ?? ''),
      start,
      confirm: isPerhapsAdded ? 'Confirm all the same' : 'Confirm',
      ...said,
    },
    ...(proposal === undefined ? {} : { madeAt: new Date(proposal.madeAt) }),
  }
}

/** The reason speaks of what was proposed, and not of what its user made of it. */
function why(proposal: AppState['offscreen']['proposal']): string {
  if (proposal?.original !== undefined) return `In your own words. What was proposed: “${proposal.original}”`
  return proposal?.rationale ?? ''
}

function phaseOf({ busy, status, outcome, snoozedUntil }: AppState['offscreen'], now: Date): Phase {
  if (busy !== undefined) return busy
  if (status === 'proposed') return snoozedUntil === undefined || new Date(snoozedUntil) <= now ? 'proposed' : 'asleep'
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
      return { kicker: 'One moment', heading: 'Looking for one good thing to do…', rationale: asking(ai) }
    case 'confirming':
      return { kicker: 'Confirming' }
    case 'proposed':
      return { kicker: offscreen.error?.code === PERHAPS_ADDED ? 'Perhaps added' : 'Proposed' }
    case 'asleep':
      return { kicker: `Snoozed until ${clockTime(new Date(offscreen.snoozedUntil!), now)}`, rationale: '', start: 'Wake it now' }
    case 'confirmed':
      return {
        kicker: 'Confirmed',
        rationale: `${whereItIs(offscreen, tasks)} The screen can wait.`,
        start: 'Propose something else',
      }
    case 'dismissed':
      return {
        kicker: 'Dismissed',
        rationale: `${offscreen.reason === undefined ? '' : `Because: “${offscreen.reason}”. `}It will not come straight back.`,
        start: 'Propose something else',
      }
    case 'failed':
      return { kicker: 'No proposal', heading: 'This time nothing came back.', rationale: '', start: 'Try again' }
  }
}

function whatConfirmingDoes(tasks: string, isPerhapsAdded: boolean): string {
  if (tasks === 'none') return 'Confirming adds nothing: no task list is set up.'
  return isPerhapsAdded ? `Confirming may add it to ${tasks} a second time.` : `Confirming adds it to ${tasks}.`
}

/** The rules answer at once. */
function asking(ai: string): string {
  return ai === '' || ai === 'builtin' ? '' : `Asking ${proposerName(ai)}.`
}

function whereItIs({ existing }: AppState['offscreen'], tasks: string): string {
  if (existing) return 'It is on your list already.'
  return tasks === 'none' ? 'Keel will remember it; it is on no list.' : `It is on your list in ${tasks}.`
}
