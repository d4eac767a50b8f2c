/** The address of a server as people configure it, checked in one place before anything is sent there. */
import { MemuError } from '../util/errors.ts'

export interface BaseUrlPlace {
  /** The key that holds the address, and the one where a secret belongs. */
  readonly key: string
  readonly secretKey: string
  /** The file that is named as the place to correct it. */
  readonly configFile: string
}

/**
 * The parsed address. A query is allowed, since some gateways want one; no output shows it. Errors: `invalid_config` (exit 2), without
 * the address itself, where it is none of http or https, or holds a user name or password: those would travel and be shown with it.
 */
export function parseBaseUrl(address: string, { key, secretKey, configFile }: BaseUrlPlace): URL {
  if (!URL.canParse(address) || !/^https?:$/.test(new URL(address).protocol)) {
    throw new MemuError('invalid_config', `${key} is not an http:// or https:// URL.`, { hint: `Correct it in ${configFile}.`, exit: 2 })
  }
  const url = new URL(address)
  if (url.username === '' && url.password === '') return url
  throw new MemuError('invalid_config', `${key} holds a user name or password.`, {
    hint: `Take it out of ${configFile}; a key belongs into ${secretKey}.`,
    exit: 2,
  })
}
