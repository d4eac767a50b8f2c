/** What the server needs from the daemon behind it: one object, so that routes and pages are tested without one. */
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
  readonly tasks: string
  /** `keeld --demo` */
  readonly demo: boolean
}

export type { History, HistoryDay, HistoryEntry, SettingView }

export interface App {
  state(): AppState
  /** Called after each change, coalesced by the caller; returns how to stop. */
  subscribe(listener: () => void): () => void
  command(command: OffscreenCommand): Promise<void>
  brief(): { readonly text: string; readonly at: string; readonly to: string } | undefined
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
