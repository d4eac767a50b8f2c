/**
 * Subagents: sessions that an agent began and in which it speaks as the user. One rule for all hosts:
 *
 * - Where discovery can tell (a folder, a column), the session belongs to the one that spawned it and is called `<owner>/<own id>`; of its
 *   records the calls and results are handed out, its words are not. They are never mined alone.
 * - Where only the log itself tells (a thread of Codex, opencode's files, Claude Code's old `agent-….jsonl`), the session stands for itself,
 *   and `SessionFacts.internal` has it passed over.
 */
import type { SessionRef } from './transcript-source.ts'

type Named = Pick<SessionRef, 'id' | 'owner'>

/** Further files of one session, in which the same two talk (rollouts of Codex), are called `<owner>_…` and are none. */
export function isSubagent({ id, owner }: Named): boolean {
  return id !== owner && !id.startsWith(`${owner}_`)
}

/** `SessionRef.id` of the session `own`, which belongs to `owner`, in the end a session that is nobody's but its own. */
export function refId(own: string, owner: string): string {
  return own === owner ? own : `${owner}/${own}`
}

/** The session as its host calls it: what `refId` was made of. */
export function ownId({ id, owner }: Named): string {
  return id === owner ? id : id.slice(owner.length + 1)
}
