/** Addresses of servers, as people give and as pages show them: what in one may be secret is neither shown nor set there. Pure. */
import { addressSecrets } from '../../util/redact.ts'

/** Whose beginning people leave out: a name of this machine, a number, a name with a dot, or any with a port. */
const BARE = /^(?:localhost|\[[0-9a-f:.]+\]|[a-z0-9-]+(?:\.[a-z0-9-]+)+|[a-z0-9-]+(?=:\d))(?::\d{1,5})?(?:\/\S*)?$/i

/** As a program writes it: with `http://` where nothing stands in front. */
export function wholeAddress(text: string): string {
  return BARE.test(text) ? `http://${text}` : text
}

/** Whether anything in it could be a key: a user, a password, a value behind the question mark. */
export function holdsSecret(address: string): boolean {
  return addressSecrets(address).length > 0 || (!isHttp(address) && /[@?#]/.test(address))
}

/** For everybody who reaches the page, and for the log. */
export function shownAddress(address: string): string {
  if (!holdsSecret(address)) return address
  // Also what is no address: somebody may have left out its beginning alone.
  return address.replace(/^([a-z]+:\/\/)?.*@/is, '$1…@').replace(/[?#].*$/s, '?…')
}

/** Of a kind that there are servers for. */
export function isHttp(address: string): boolean {
  return URL.canParse(address) && /^https?:$/.test(new URL(address).protocol)
}
