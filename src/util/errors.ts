/**
 * The one error that programs show: what failed, on what, why, and what to do next.
 * `code` is a stable string that other programs may test; `message` and `hint` are for people.
 */
export class MemuError extends Error {
  readonly code: string
  /** The next command or step, as an imperative sentence. */
  readonly hint?: string
  /** 1: failed. 2: used wrongly or refused. */
  readonly exit: 1 | 2

  constructor(code: string, message: string, options: { hint?: string; cause?: unknown; exit?: 1 | 2 } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'MemuError'
    this.code = code
    this.exit = options.exit ?? 1
    if (options.hint !== undefined) this.hint = options.hint
  }

  /** The shape under `--json`. The cause is left out: it may hold paths or text of the user. */
  toJSON(): { code: string; message: string; hint?: string } {
    return { code: this.code, message: this.message, ...(this.hint === undefined ? {} : { hint: this.hint }) }
  }
}

/** The `code` of a Node.js system error (`ENOENT`), or undefined. */
export function systemCode(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** One line that says why, from anything thrown. */
export function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
