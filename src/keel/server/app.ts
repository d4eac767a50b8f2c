/** What the server needs from the daemon behind it: one object, so that routes and pages are tested without one. */
import type { MemoryState } from '../memory/store.ts'
import type { OffscreenCommand, OffscreenView } from '../offscreen/view.ts'

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

/** One proposal and what became of it, newest first. */
export interface HistoryEntry {
  readonly id: string
  readonly at: string
  readonly nextAction: string
  readonly rationale: string
  readonly outcome: 'confirmed' | 'dismissed' | 'unactioned'
  readonly outcomeAt?: string
  readonly reason?: string
}

export interface History {
  readonly entries: readonly HistoryEntry[]
  /** Local days `YYYY-MM-DD`, oldest first, also those on which nothing happened. */
  readonly days: readonly { readonly day: string; readonly proposed: number; readonly confirmed: number; readonly dismissed: number }[]
  /** More events lie in the range than were read. */
  readonly isCut: boolean
}

/** One setting as the page shows it. */
export interface SettingView {
  readonly key: string
  readonly label: string
  readonly value: string
  /** Where the value comes from. */
  readonly source: 'environment' | 'file' | 'default'
  /** Why the page cannot change it: a command, a secret, or set by the environment. */
  readonly locked?: string
  readonly choices?: readonly string[]
  readonly help: string
}

export interface App {
  state(): AppState
  /** Called after each change, coalesced by the caller; returns how to stop. */
  subscribe(listener: () => void): () => void
  command(command: OffscreenCommand): Promise<void>
  brief(): { readonly text: string; readonly at: string; readonly to: string } | undefined
  history(days: number, signal: AbortSignal): Promise<History>
  settings(): readonly SettingView[]
  /** Errors: `invalid_setting` with the key in `details`; the running services stay. */
  changeSettings(values: Readonly<Record<string, string>>): Promise<void>
}
