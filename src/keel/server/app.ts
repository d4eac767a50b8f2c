/** What the server needs from the daemon behind it: one object, so that routes and pages are tested without one. */
import type { Destination } from '../ai/destination.ts'
import type { MemoryState } from '../memory/store.ts'
import type { History, HistoryDay, HistoryEntry } from '../offscreen/history.ts'
import type { OffscreenCommand, OffscreenView } from '../offscreen/view.ts'
import type { SettingView } from '../settings/view.ts'

export interface AppState {
  /** Grows with every change; the ETag of the state and the id of a server-sent event. */
  readonly version: number
  readonly offscreen: OffscreenView
  readonly memory: MemoryState
  readonly ai: string
  /** Where a brief goes with it; absent: nowhere, the rules are ours. */
  readonly destination?: Destination
  readonly tasks: string
  /** `keeld --demo` */
  readonly demo: boolean
}

/** The last brief, and what became of it. */
export interface SentBrief {
  readonly text: string
  /** ISO time. */
  readonly at: string
  /** The proposer's name. */
  readonly to: string
  /** Absent: it went nowhere. */
  readonly destination?: Destination
  /** Each whole text that was given away for it, in order: the instructions, the brief, what was not wanted. None: it did not get that far. */
  readonly prompts: readonly string[]
}

export type { Destination, History, HistoryDay, HistoryEntry, SettingView }

export interface App {
  state(): AppState
  /** Called after each change, coalesced by the caller; returns how to stop. */
  subscribe(listener: () => void): () => void
  command(command: OffscreenCommand): Promise<void>
  brief(): SentBrief | undefined
  /** Today and the days before it, 1 to 92. Errors: those of the store. */
  history(days: number, signal: AbortSignal): Promise<History>
  /**
   * Forgets one proposal, or all of them where none is named. Resolves when it is gone here; ActivityWatch follows. Errors: `busy`,
   * `stopping`, `not_forgotten`.
   */
  forget(proposalId: string | undefined): Promise<void>
  settings(): readonly SettingView[]
  /**
   * Errors: `InvalidSetting` (`key` names the field; code `invalid_setting` or `invalid_backend`), `settings_unreadable`,
   * `settings_not_written`; the running services stay.
   */
  changeSettings(values: Readonly<Record<string, string>>): Promise<void>
}
