/** Commands as they come from outside: checked, cleaned and bounded. Pure. */
import { MemuError } from '../../util/errors.ts'
import { ACTION_LIMIT, oneLine, shortened } from '../ai/proposal.ts'
import { MOST_SNOOZE_MINUTES, REASON_LIMIT } from './remembered.ts'
import type { OffscreenCommand } from './view.ts'

/** The type is what is meant, not what came. Errors: `unknown_command`, `invalid_argument`. */
export function checkedCommand(command: OffscreenCommand): OffscreenCommand {
  const { name, proposalId } = command as { readonly name: unknown; readonly proposalId?: unknown }
  if (proposalId !== undefined && typeof proposalId !== 'string') throw invalid('The id of the proposal is not a text.')
  const id = proposalId === undefined ? {} : { proposalId }
  switch (command.name) {
    case 'start':
    case 'cancel':
      return { name: command.name }
    case 'another':
    case 'undo':
      return { name: command.name, ...id }
    case 'confirm':
      return { name: 'confirm', ...id, ...shownText(command.text), ...againOf(command.again) }
    case 'dismiss':
      return { name: 'dismiss', ...id, ...reasonOf(command.reason) }
    case 'snooze':
      return { name: 'snooze', ...id, minutes: minutesOf(command.minutes) }
    case 'edit':
      return { name: 'edit', ...id, text: textOf(command.text) }
    default:
      throw new MemuError(
        'unknown_command',
        `There is no command ${typeof name === 'string' ? JSON.stringify(name.slice(0, 40)) : 'of that kind'}.`,
        {
          hint: 'Use start, another, cancel, confirm, dismiss, undo, snooze or edit.',
          exit: 2,
        },
      )
  }
}

function reasonOf(reason: unknown): { readonly reason?: string } {
  if (reason === undefined) return {}
  if (typeof reason !== 'string') throw invalid('The reason is not a text.')
  const line = shortened(oneLine(reason), REASON_LIMIT)
  return line === '' ? {} : { reason: line }
}

/** What a page shows, and not what is to be: it may be of any length. */
function shownText(text: unknown): { readonly text?: string } {
  if (text === undefined) return {}
  if (typeof text !== 'string') throw invalid('The text that is confirmed is not a text.')
  return { text: oneLine(text) }
}

function againOf(again: unknown): { readonly again?: boolean } {
  if (again === undefined) return {}
  if (typeof again !== 'boolean') throw invalid('again is neither true nor false.')
  return { again }
}

function minutesOf(minutes: unknown): number {
  if (typeof minutes === 'number' && Number.isInteger(minutes) && minutes >= 1 && minutes <= MOST_SNOOZE_MINUTES) return minutes
  throw invalid(`A proposal can sleep for 1 to ${MOST_SNOOZE_MINUTES} whole minutes.`)
}

function textOf(text: unknown): string {
  if (typeof text !== 'string') throw invalid('The new text is not a text.')
  const line = oneLine(text)
  if (line === '') throw invalid('The new text is empty.')
  if ([...line].length > ACTION_LIMIT) throw invalid(`The new text has more than ${ACTION_LIMIT} characters.`)
  return line
}

function invalid(message: string): MemuError {
  return new MemuError('invalid_argument', message, { exit: 2 })
}
