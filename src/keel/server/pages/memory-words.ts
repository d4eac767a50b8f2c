/** The state of the memory in plain words. Pure; the page in the browser uses it too. */
import type { ShownMemory } from './now-view.ts'

export interface MemoryWords {
  /** In a sentence. */
  readonly short: string
  /** Why, and what waits; empty where there is nothing to say. */
  readonly more: string
}

/** What the store says of a daemon that is not to use ActivityWatch. */
const NOT_USED = 'ActivityWatch is not used'

export function memoryWords({ where, reason, waiting }: ShownMemory): MemoryWords {
  const isUsed = reason !== NOT_USED
  if (where === 'activitywatch') {
    return { short: 'Remembered in ActivityWatch', more: waiting === 0 ? '' : `${entries(waiting)} on the way there.` }
  }
  const why = isUsed && reason !== undefined ? sentence(`ActivityWatch is away: ${reason}`) : ''
  if (where === 'none') return { short: 'Nothing is remembered', more: why }
  const later = waiting === 0 || !isUsed ? '' : `${entries(waiting)} will go there when it is back.`
  return { short: 'Remembered on this machine', more: [why, later].filter((part) => part !== '').join(' ') }
}

function entries(count: number): string {
  return count === 1 ? 'One entry' : `${count} entries`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
