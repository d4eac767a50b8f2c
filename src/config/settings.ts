/**
 * What a program needs to know, settled: the process environment before `~/.memu/config.env` before defaults.
 * Pure, no side effects; commands receive these values and never look at the environment themselves.
 */
export interface Settings {
  readonly mode: 'local' | 'cloud'
  /** `MEMU_DB` as declared: a path, `sqlite:///…`, `postgres://…` or `:memory:`. Undefined where nothing declares it. */
  readonly db?: string
  readonly embedding: {
    readonly provider: string
    readonly model?: string
    readonly apiKey?: string
    readonly baseUrl?: string
  }
  /** Where the values came from, for messages: the config file that was read (or would be). */
  readonly configFile: string
  readonly debug: boolean
  /** Every key that is set, resolved, for the parts that need more (`NO_PROXY`, `MEMU_HTTP_PROXY` …). */
  readonly value: (key: string) => string | undefined
}
