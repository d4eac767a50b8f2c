/** Passwords in the parameters of an address, and in connection strings of `key=value` pairs. */
const PARAMETER = /((?:pass(?:word|wd)?|pwd|secret|token|key)=)(?:'[^']*'|[^&\s]*)/gi
/** A password may hold a slash, a hash or an @ that nobody escaped: all up to the last @ goes. */
const USER_INFO = /^([a-z][a-z0-9+.-]*:\/\/).*@/is

/** An address as it may be shown: without user and password, also where it is no valid URL. A path stays as it is. */
export function publicAddress(address: string): string {
  return address.replace(USER_INFO, '$1').replace(PARAMETER, '$1…')
}
