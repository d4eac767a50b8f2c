/** What a mode is given. Each may be missing in a test; a mode guards. The seed names an `Enforce` here too, of which it says nothing: there is none. */
import type { Proposer } from '../ai/backend.ts'
import type { KnowledgeSource } from '../knowledge/source.ts'
import type { EventStore } from '../memory/store.ts'
import type { TaskList } from '../tasks/task-list.ts'

export interface Services {
  readonly ai: Proposer
  readonly tasks: TaskList
  /** Goals, from the user's file. */
  readonly knowledge?: KnowledgeSource
  /** What memU knows of the user. */
  readonly known?: KnowledgeSource
  /** Today's screen time. */
  readonly screenTime?: KnowledgeSource
  readonly memory?: EventStore
  readonly clock?: () => Date
  /** The state of a mode changed: draw it anew. */
  readonly notify?: () => void
  /** One line for the log. */
  readonly log?: (line: string) => void
}
