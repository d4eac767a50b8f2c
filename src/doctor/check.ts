/** The shape of a check: what was looked at, how it stands, and what to do about it. */
import type { Settings } from '../config/settings.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import type { System } from '../util/system.ts'

/** `warn`: it works, and a person should know. `fail`: it does not work. */
export type Level = 'ok' | 'warn' | 'fail'

export interface Finding {
  readonly level: Level
  /** One sentence. */
  readonly what: string
  /** The command or change that comes next; for everything that is not `ok`. */
  readonly next?: string
}

export interface CheckContext {
  readonly system: System
  readonly settings: Settings
  /** The hosts whose logs and runs are looked at. */
  readonly hosts: readonly HostSpec[]
  /** What the pipeline left behind for a host; handed in, since the pipeline lies beside the checks and not below them. */
  readonly bridging: (host: HostSpec) => BridgingFacts
}

export interface BridgingFacts {
  /** When a commit last went through, ISO; absent where none ever did. */
  readonly lastSuccess?: string
  /** Runs went through, and no session was ever learned from. */
  readonly isEmpty?: true
  /** Why the last run failed, where it did after the last success. */
  readonly lastFailure?: { readonly at: string; readonly reason: string }
  /** A run that was prepared and not committed. */
  readonly open?: { readonly since: string }
  /** Who works on it right now. */
  readonly running?: string
}

/** Looks, and changes nothing. What it throws is a finding of its own: `runChecks` sees to that. */
export interface Check<Context = CheckContext> {
  readonly name: string
  readonly run: (context: Context) => Promise<readonly Finding[]> | readonly Finding[]
}

export const ok = (what: string): Finding => ({ level: 'ok', what })
export const warn = (what: string, next: string): Finding => ({ level: 'warn', what, next })
export const fail = (what: string, next: string): Finding => ({ level: 'fail', what, next })
