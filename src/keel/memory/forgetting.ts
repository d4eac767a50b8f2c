/** Carries out at ActivityWatch what was forgotten here. */
import type { AwBulk } from './aw-store.ts'
import type { LocalStore } from './local-store.ts'
import { isSameEvent } from './merge.ts'
import type { KeelEvent } from './store.ts'
import { isMeant } from './wish.ts'

export interface ForgettingOptions {
  readonly local: Pick<LocalStore, 'wishes' | 'fulfil' | 'range'>
  readonly remote: Pick<AwBulk, 'remove'>
  readonly now: () => Date
  readonly signal: AbortSignal
}

/** Events of one moment. */
const OF_ONE_TIME = 1_000

/** Resolves when nothing is left to be forgotten there. Errors: those of the client, and of the disk; the wishes stay. */
export async function forgetThere({ local, remote, now, signal }: ForgettingOptions): Promise<void> {
  for (let wishes = local.wishes(); wishes.length > 0; wishes = local.wishes()) {
    const time = now()
    // What this machine has now was recorded after it was wished, whatever its clock says.
    const isOurs = (event: KeelEvent): boolean =>
      local.range(event.at, new Date(event.at.getTime() + 1), OF_ONE_TIME).some((own) => isSameEvent(own, event))
    await remote.remove((event) => wishes.some((wish) => isMeant(event, wish, time)) && !isOurs(event), signal)
    local.fulfil(wishes.map(({ id }) => id))
  }
}
