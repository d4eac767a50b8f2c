/** The secrets of this installation, word for word: whatever form they have, they are found wherever a session shows them. */
import { parseDotenv } from '../config/dotenv.ts'
import { CONFIG_KEYS } from '../config/keys.ts'
import { readConfigText } from '../config/read.ts'
import { configFilePath } from '../config/settings.ts'
import type { KnownSecret } from '../redaction/redact.ts'
import type { System } from '../util/system.ts'

/** A shorter one, or a word ("postgres", "ollama"): taking it out everywhere would ruin the text; in its place a rule finds it. */
const LEAST = 8
const LEAST_OF_LETTERS = 12

/** Under the key that each is configured under, in kebab-case. Keys and passwords in addresses, from the environment and the config file; both, where they differ. Errors: `config_unreadable`. */
export function knownSecrets({ env, home, cwd }: Pick<System, 'env' | 'home' | 'cwd'>): KnownSecret[] {
  const file = parseDotenv(readConfigText(configFilePath(env, home, cwd)) ?? '')
  const found = CONFIG_KEYS.flatMap(({ key, secret }) =>
    [env[key], file.get(key)].flatMap((value) => {
      if (value === undefined) return []
      return (secret ? [value] : passwords(value)).map((text) => ({ name: kebab(key), value: text }))
    }),
  )
  const telling = found.filter(({ value }) => value.length >= (/^\p{L}+$/u.test(value) ? LEAST_OF_LETTERS : LEAST))
  return [...new Map(telling.map((secret) => [secret.value, secret])).values()]
}

function kebab(key: string): string {
  return key.toLowerCase().replaceAll('_', '-')
}

/** Of an address, as it stands there and as it is sent. */
function passwords(address: string): string[] {
  if (!address.includes('://') || !URL.canParse(address)) return []
  const { password } = new URL(address)
  try {
    return password === '' ? [] : [password, decodeURIComponent(password)]
  } catch {
    return [password] // A lone percent sign: it stands for itself.
  }
}
