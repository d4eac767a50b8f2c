/** The state of the memory in plain words. Pure; the page in the browser uses it too. */
import type { ShownMemory } from './now-view.ts'

export interface MemoryWords {
  /** In a sentence. */
  readonly short: string
  /** Why, and what waits; empty where there is nothing to say. */
  readonly more: string
  /** What is in danger of being forgotten; empty where nothing is. */
  readonly trouble: string
}

/** What the store says of a daemon that is not to use ActivityWatch. */
const NOT_USED = 'ActivityWatch is not used'

export function usesActivityWatch({ where, reason }: ShownMemory): boolean {
  return where === 'activitywatch' || reason !== NOT_USED
}

export function memoryWords({ where, reason, waiting, unsaved, failure }: ShownMemory): MemoryWords {
  const trouble = unsaved > 0 || where !== 'activitywatch' ? troubleWords(unsaved, failure) : ''
  const isUsed = reason !== NOT_USED
  if (where === 'activitywatch') {
    return { short: 'Remembered in ActivityWatch', more: waiting === 0 ? '' : `${entries(waiting)} on the way there.`, trouble }
  }
  const why = isUsed && reason !== undefined ? sentence(`ActivityWatch is away: ${reason}`) : ''
  if (where === 'none' && trouble === '') return { short: 'Nothing is remembered', more: why, trouble }
  const later = waiting === 0 || !isUsed ? '' : `${entries(waiting)} will go there when it is back.`
  const short = trouble === '' ? 'Remembered on this machine' : 'Cannot be written just now'
  return { short, more: [why, later].filter((part) => part !== '').join(' '), trouble }
}

function troubleWords(unsaved: number, failure: string | undefined): string {
  const why = failure === undefined ? '.' : sentence(`: ${failure}`)
  if (unsaved > 0)
    return `${entries(unsaved)} could not be written yet${why} ${unsaved === 1 ? 'It is' : 'They are'} kept until keeld ends, and tried again.`
  return failure === undefined ? '' : `What happens now can be kept only until keeld ends${why}`
}

function entries(count: number): string {
  return count === 1 ? 'One entry' : `${count} entries`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
