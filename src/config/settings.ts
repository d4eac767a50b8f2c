/**
 * What a program needs to know, settled: the process environment before `~/.memu/config.env` before defaults.
 * Pure, no side effects; commands receive these values and never look at the environment themselves.
 */
import { dirname, join } from 'node:path'
import { MemuError } from '../util/errors.ts'
import { configKey } from './keys.ts'
import { localPath, storeAddress } from './store-address.ts'

export interface Settings {
  readonly mode: 'local' | 'cloud'
  /** `MEMU_DB`: a path (absolute by now), `sqlite:///…`, `postgres://…` or `:memory:`. Undefined where nothing declares it. */
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

export interface SettingsInput {
  /** The keys of the config file. */
  readonly file: ReadonlyMap<string, string>
  readonly env: Readonly<Record<string, string | undefined>>
  readonly configFile: string
  readonly home: string
  /** What a relative `MEMU_DB` in the environment starts from; one in the file starts from the file's directory. */
  readonly cwd: string
}

/** Errors: `invalid_config` (exit 2) where `MEMU_MEMORY_MODE` is neither `local` nor `cloud`, or `MEMU_DB` means nothing here. */
export function resolveSettings(input: SettingsInput): Settings {
  const value = lookup(input)
  const optional = <Name extends string>(name: Name, key: string): { readonly [name in Name]?: string } => {
    const found = value(key)
    return found ? ({ [name]: found } as { [name in Name]: string }) : {}
  }
  const declared = value('MEMU_DB')
  const [base, place] = input.env.MEMU_DB ? [input.cwd, 'the environment'] : [dirname(input.configFile), input.configFile]
  const db = declared === undefined ? undefined : storeAddress(declared, base, input.home, place)
  return {
    mode: resolveMode(value('MEMU_MEMORY_MODE'), input.configFile),
    ...(db === undefined ? {} : { db }),
    embedding: {
      provider: (value('MEMU_EMBED_PROVIDER') ?? value('MEMU_LLM_PROVIDER') ?? 'local').trim().toLowerCase(),
      ...optional('model', 'MEMU_EMBED_MODEL'),
      ...optional('apiKey', 'MEMU_API_KEY'),
      ...optional('baseUrl', 'MEMU_BASE_URL'),
    },
    configFile: input.configFile,
    debug: isOn(value('MEMU_DEBUG')),
    value,
  }
}

/**
 * The path of the config file; `MEMU_CONFIG_ENV` is read from the environment alone, since the file cannot move itself.
 * Errors: `invalid_config` (exit 2) where it holds what only a shell replaces.
 */
export function configFilePath(env: SettingsInput['env'], home: string, cwd: string): string {
  const moved = env.MEMU_CONFIG_ENV
  return moved ? localPath('MEMU_CONFIG_ENV', moved, cwd, home, 'the environment') : join(home, '.memu', 'config.env')
}

function lookup({ env, file }: SettingsInput): (key: string) => string | undefined {
  return (key) => {
    const emptyWins = configKey(key)?.emptyWins === true
    const declared = (text: string | undefined): boolean => text !== undefined && (emptyWins || text !== '')
    // Proxy variables are customary in both cases, and a lower-case one counts as declared by the environment.
    const fromEnv = declared(env[key]) || !key.endsWith('_PROXY') ? env[key] : env[key.toLowerCase()]
    if (declared(fromEnv)) return fromEnv
    const fromFile = file.get(key)
    return declared(fromFile) ? fromFile : undefined
  }
}

function resolveMode(declared: string | undefined, configFile: string): 'local' | 'cloud' {
  const mode = (declared ?? 'local').trim().toLowerCase()
  if (mode === 'local' || mode === 'cloud') return mode
  throw new MemuError('invalid_config', `MEMU_MEMORY_MODE is ${JSON.stringify(declared)}; it can be "local" or "cloud".`, {
    hint: `Correct MEMU_MEMORY_MODE in the environment or in ${configFile}.`,
    exit: 2,
  })
}

function isOn(value: string | undefined): boolean {
  return value !== undefined && !['0', 'false', 'no', 'off'].includes(value.trim().toLowerCase())
}
