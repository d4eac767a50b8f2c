/** The state of the memory in plain words. Pure; the page in the browser uses it too. */
import type { ShownMemory } from './now-view.ts'

export interface MemoryWords {
  /** On every page. */
  readonly short: string
  /** For who wants to know: of ActivityWatch, and what waits for it; empty where there is nothing to say. */
  readonly more: string
  /** Why, in the words of whoever found out; empty where there is nothing to say. */
  readonly why: string
  /** What is in danger of being forgotten; empty where nothing is. */
  readonly trouble: string
}

export function usesActivityWatch({ isLocal }: ShownMemory): boolean {
  return isLocal !== true
}

export function memoryWords(memory: ShownMemory): MemoryWords {
  const { where, url, reason, waiting, unsaved, atRisk = 0, failure } = memory
  const trouble = unsaved > 0 || where !== 'activitywatch' ? troubleWords(unsaved, atRisk, failure) : ''
  if (where === 'activitywatch') {
    return { short: 'Remembered in ActivityWatch', more: waiting === 0 ? '' : `${entries(waiting)} on the way there.`, why: '', trouble }
  }
  const short = trouble !== '' ? 'Cannot be written just now' : where === 'none' ? 'Nothing is remembered' : 'Remembered on this machine'
  // Without a reason nobody has looked for it yet.
  if (!usesActivityWatch(memory) || reason === undefined) return { short, more: '', why: '', trouble }
  const later = waiting === 0 ? '' : ` ${entries(waiting)} will go there as soon as it does.`
  return { short, more: `ActivityWatch does not answer at ${url}.${later}`, why: sentence(reason), trouble }
}

function troubleWords(unsaved: number, atRisk: number, failure: string | undefined): string {
  const why = failure === undefined ? '.' : sentence(`: ${failure}`)
  if (unsaved === 0) return failure === undefined ? '' : `What happens now cannot be written to its file${why}`
  const where =
    atRisk === 0 ? '' : atRisk === unsaved ? ' Kept until keeld ends.' : ` ${entries(atRisk)} of these are kept until keeld ends.`
  return `${entries(unsaved)} could not be written to the file yet${why}${where}`
}

function entries(count: number): string {
  return count === 1 ? 'One entry' : `${count} entries`
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
