/** Every key that memU reads, from the environment or from `config.env`: one table for resolving, for `doctor` and for the docs. */
export interface ConfigKey {
  readonly key: string
  readonly about: string
  /** Never shown: not in output, not in logs. */
  readonly secret?: true
  /** Its off position is the empty string: a declared empty value wins over what comes after it. */
  readonly emptyWins?: true
  /** Does nothing yet: belongs to a part that this version has not. Known all the same, so that it is no misspelling to `doctor`. */
  readonly later?: true
}

export const CONFIG_KEYS: readonly ConfigKey[] = [
  { key: 'MEMU_DB', about: 'The local store: a path, `sqlite:///…` or `:memory:`. Required.' },
  { key: 'MEMU_MEMORY_MODE', about: '`local`, the default; `cloud` is refused until there is a client for it.' },
  {
    key: 'MEMU_EMBED_PROVIDER',
    about: '`local` (default), `openai`, `openai-compatible`, `openrouter`, `jina`, `voyage`, `doubao` or `ollama`.',
  },
  { key: 'MEMU_LLM_PROVIDER', about: 'The older name of `MEMU_EMBED_PROVIDER`; read where that one is absent.' },
  { key: 'MEMU_EMBED_MODEL', about: 'The embedding model; each provider has a default.' },
  { key: 'MEMU_API_KEY', about: 'The key of the embedding provider.', secret: true },
  { key: 'MEMU_BASE_URL', about: 'The embedding endpoint, where it is not the provider’s own.' },
  { key: 'MEMU_EXECUTOR_BASE_URL', about: 'The endpoint of `bridge --executor openai|ollama`.' },
  { key: 'MEMU_EXECUTOR_MODEL', about: 'Its model.' },
  { key: 'MEMU_EXECUTOR_API_KEY', about: 'Its key.', secret: true },
  { key: 'MEMU_HTTP_PROXY', about: 'The proxy for memU’s own requests; before `HTTPS_PROXY` and `HTTP_PROXY`.' },
  { key: 'HTTPS_PROXY', about: 'The proxy for `https://` targets.' },
  { key: 'HTTP_PROXY', about: 'The proxy for `http://` targets.' },
  { key: 'NO_PROXY', about: 'Hosts that are reached directly, with commas between them.', emptyWins: true },
  {
    key: 'MEMU_COWORK_ROOTS',
    about: 'Data roots of Claude Desktop, in place of looking for them; separated as in `PATH`; empty switches Cowork off.',
    emptyWins: true,
  },
  { key: 'MEMU_BRIDGING_RUN', about: 'Not empty: this process belongs to a bridging run, whose own session is not mined.' },
  { key: 'MEMU_DEBUG', about: '`1` adds the stack of an unexpected error.' },
  { key: 'MEMU_CLOUD_API_KEY', about: 'The key of the memory server, in cloud mode.', secret: true, later: true },
  { key: 'MEMU_CLOUD_BASE_URL', about: 'The memory server, where it is not memU’s own.', later: true },
  { key: 'MEMU_CLIENT_ID', about: 'A random id of this installation.', later: true },
  { key: 'MEMU_TELEMETRY', about: '`0` switches events off.', later: true },
  { key: 'MEMU_EVENTS_BASE_URL', about: 'Where events go; empty, the default, means nowhere.', emptyWins: true, later: true },
  {
    key: 'MEMU_TEMPLATE_BASE_URL',
    about: 'Where newer job texts come from; empty means the ones in the package.',
    emptyWins: true,
    later: true,
  },
  { key: 'MEMU_DOCS_BASE_URL', about: 'Where newer guides come from; empty means the ones in the package.', emptyWins: true, later: true },
]

const BY_NAME = new Map(CONFIG_KEYS.map((entry) => [entry.key, entry]))

export function configKey(key: string): ConfigKey | undefined {
  return BY_NAME.get(key)
}
