/** How the embedded store writes down whether ActivityWatch has an event. */
import type { Sent } from './stored-events.ts'

const NUMBERS: Readonly<Record<Sent, number>> = { waiting: 0, tried: 1, copied: 2, kept: 3, 'given-up': 4 }
const NAMES = Object.keys(NUMBERS) as Sent[]

export const TRIED = NUMBERS.tried
export const COPIED = NUMBERS.copied
export const GIVEN_UP = NUMBERS['given-up']
/** Part of a statement: ActivityWatch may not have it. */
export const PENDING = `sent in (${NUMBERS.waiting}, ${NUMBERS.tried})`

export function numberOf(sent: Sent): number {
  return NUMBERS[sent]
}

/** A number that nobody knows stays alone. */
export function sentOf(number: unknown): Sent {
  return NAMES[Number(number)] ?? 'kept'
}
