/** A setting as the page shows it. Plain data, for the page in the browser too. */
import type { SettingKey, SettingSource } from './settings.ts'

export interface SettingView {
  readonly key: string
  readonly label: string
  /** Never a secret. */
  readonly value: string
  /** Where the value comes from. */
  readonly source: SettingSource
  /** Why the page cannot change it: a command, a secret, or set by the environment. */
  readonly locked?: string
  readonly choices?: readonly string[]
  readonly help: string
  /** What is strange about the value, although it is taken: a file that is not there yet, for example. A sentence or two. */
  readonly note?: string
}

export type SettingNotes = Partial<Record<SettingKey, string>>
