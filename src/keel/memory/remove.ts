/** Deletes events from a bucket of ActivityWatch, which can delete one at a time, by its id. */
import type { AwClient } from '../aw/client.ts'
import { AwError } from '../aw/errors.ts'
import type { AwEvent, StoredAwEvent } from '../aw/event.ts'

/** Events of one answer. */
const PAGE = 1_000
/** All that a server can hold. */
const [FIRST, END] = [new Date(0), new Date(Date.UTC(2261, 0, 1))]
/** A server that does not delete what it says to have deleted is not asked for ever. */
const MOST_PASSES = 3

/** Resolves when a whole look finds none that is meant. Errors: those of the client. */
export async function removeFrom(
  client: Pick<AwClient, 'stored' | 'remove'>,
  bucket: string,
  isMeant: (event: AwEvent) => boolean,
  signal?: AbortSignal,
): Promise<void> {
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    let found = 0
    for await (const event of everyEvent(client, bucket, signal)) {
      if (event.id < 0 || !isMeant(event)) continue
      found++
      await client.remove(bucket, event.id, signal)
    }
    if (found === 0) return
  }
  throw new AwError('aw_failed', `aw: delete from ${bucket}: what was deleted is still there`)
}

/** Newest first; those of one moment may come twice. */
async function* everyEvent(client: Pick<AwClient, 'stored'>, bucket: string, signal?: AbortSignal): AsyncGenerator<StoredAwEvent> {
  let end = END
  let limit = PAGE
  for (;;) {
    const page = await client.stored(bucket, FIRST, end, limit, signal)
    yield* page
    if (page.length < limit) return
    // Of the oldest moment there may be more: it is part of the next page.
    const next = new Date(page.at(-1)!.timestamp.getTime() + 1)
    if (next < end) end = next
    // All of one moment.
    else limit *= 2
  }
}
