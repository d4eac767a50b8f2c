import type { SessionRecord } from '../transcript-source.ts'

/** What the lines so far said of the thread; plain JSON. */
export interface State {
  /** The id in the thread's own (first) `session_meta`. */
  thread?: string
  /** When the thread began, while the history of the thread that it was forked from is passed over. */
  replayUntil?: number
  /** Messages stand as items; their copies among the events are passed over. */
  hasItems?: boolean
  /** Messages seen as events only, while it is not known whether items will come; at most `HELD`. */
  held?: SessionRecord[]
  title?: string
  project?: string
  branch?: string
  internal?: boolean
}
