/** Reads the sessions that changed, as many as a run has places for, and tells what each turned out to be. */
import type { SessionRef } from '../hosts/transcript-source.ts'
import { reason } from '../util/errors.ts'
import { discardFile, makeDirectory } from '../util/fs.ts'
import type { Problem } from './bridging-deps.ts'
import { chooser } from './choose.ts'
import type { ReadContext, SessionSlices } from './read-session.ts'

export interface ReadSessions {
  /** Those with something to mine, oldest first. */
  readonly mined: readonly SessionSlices[]
  readonly nothing: readonly SessionSlices[]
  /** Runs of ours, known by what was said first in them. */
  readonly own: readonly SessionSlices[]
  /** How many others belong to these and were left out with them. */
  readonly subagents: number
  readonly waiting: number
  readonly unread: readonly Problem[]
}

/** `open` is called where there is something to read. Errors: the signal's reason when aborted. */
export async function readChanged(
  changed: readonly SessionRef[],
  { maxJobs }: { readonly maxJobs: number },
  open: () => Promise<ReadContext>,
): Promise<ReadSessions> {
  if (changed.length === 0) return { mined: [], nothing: [], own: [], subagents: 0, waiting: 0, unread: [] }
  const [context, { readSession }] = await Promise.all([open(), import('./read-session.ts')])
  const choice = chooser(changed, maxJobs)
  const read: SessionSlices[] = []
  const own = new Set<string>()
  const unread: Problem[] = []
  let subagents = 0
  makeDirectory(context.tree.sessions)
  for (let session = choice.next(); session !== undefined; session = choice.next()) {
    context.signal?.throwIfAborted()
    if (own.has(session.owner)) {
      subagents++
      continue
    }
    try {
      const slices = await readSession(session, read.length, context)
      read.push(slices)
      if (slices.entry.own === true) own.add(session.owner)
      if (slices.paths !== undefined) choice.take()
    } catch (error) {
      context.signal?.throwIfAborted()
      unread.push({ on: session.path, reason: reason(error) }) // Its cursor has not moved: it comes again.
    }
  }
  const kept = read.filter(({ session, entry }) => entry.own === true || !own.has(session.owner))
  for (const slices of read) if (!kept.includes(slices)) discard(slices)
  const others = kept.filter(({ entry }) => entry.own !== true)
  const mined = others.filter(({ paths }) => paths !== undefined).sort((a, b) => a.session.modified - b.session.modified)
  return {
    mined,
    nothing: others.filter(({ paths }) => paths === undefined),
    own: kept.filter(({ entry }) => entry.own === true),
    subagents: subagents + read.length - kept.length,
    waiting: choice.left + mined.filter(({ entry }) => entry.hasMore).length,
    unread,
  }
}

/** A subagent's that was read before the run that spawned it. */
function discard({ paths }: SessionSlices): void {
  if (paths === undefined) return
  discardFile(paths.conversation)
  discardFile(paths.full)
}
