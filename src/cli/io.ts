/** What a command sees of its terminal: arguments in, product out, talk beside it, and the wish to stop. */
import type { System } from '../util/system.ts'

export interface Io {
  readonly system: System
  /** Without the program and its path. */
  readonly args: readonly string[]
  /** The product: stdout. A reader that has gone away (`| head`) is no error. */
  readonly out: (text: string) => void
  /** Talk: stderr. */
  readonly err: (text: string) => void
  /** Whether a person watches stderr, so that a progress bar makes sense. */
  readonly interactive: () => boolean
  /** Whether the product is read by a person at a terminal, and by no program. */
  readonly terminal: () => boolean
  /** Whether to colour the product: a terminal, and no `NO_COLOR`. */
  readonly colour: () => boolean
  readonly readStdin: () => Promise<string>
  /** Whether standard input is a keyboard, at which nobody types a payload by accident. */
  readonly typed: () => boolean
  /**
   * Aborted by the first Ctrl-C or SIGTERM; the second one ends the process at once. Asking for it takes the signals over:
   * a command that never asks is simply ended by them.
   */
  readonly signal: () => AbortSignal
}

/** A command: does its work and returns the exit code. Errors are thrown, `run` prints them. */
export type Command = (io: Io) => Promise<number>
