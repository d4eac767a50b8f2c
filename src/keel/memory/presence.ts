/** Which of our events ActivityWatch has: asked in one request for many of them, as they mostly lie beside each other. */
import type { AwBulk } from './aw-store.ts'
import { eventsByTime, isSameEvent } from './merge.ts'
import type { StoredEvent } from './stored-events.ts'

/** Events of one answer, others' included. Where there are more, each half is asked for by itself. */
const MOST_SEEN = 1_000

/** Errors: those of the client. */
export async function findPresent(
  remote: Pick<AwBulk, 'look'>,
  stored: readonly StoredEvent[],
  signal: AbortSignal,
): Promise<StoredEvent[]> {
  if (stored.length === 0) return []
  const sorted = [...stored].sort((a, b) => timeOf(a) - timeOf(b))
  const [from, to] = [timeOf(sorted[0]!), timeOf(sorted.at(-1)!) + 1]
  const { events, isCut } = await remote.look(new Date(from), new Date(to), MOST_SEEN, signal)
  if (!isCut || to === from + 1) {
    const there = eventsByTime(events)
    return stored.filter(({ event }) => there(event.at).some((other) => isSameEvent(event, other)))
  }
  // By time, so that it ends: both halves are shorter, or one moment.
  const middle = from + Math.ceil((to - from) / 2)
  const parts = [sorted.filter((each) => timeOf(each) < middle), sorted.filter((each) => timeOf(each) >= middle)]
  return [...(await findPresent(remote, parts[0]!, signal)), ...(await findPresent(remote, parts[1]!, signal))]
}

function timeOf({ event }: StoredEvent): number {
  return event.at.getTime()
}
