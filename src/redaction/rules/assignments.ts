import type { Rule } from '../rule.ts'
import { isPassword, isRandom, isWords } from '../strength.ts'

/** Names of values that people choose: any value but a word is one. */
const PASSWORDS = [
  'password',
  'passwd',
  'passphrase',
  'passwort',
  'pwd',
  'passcode',
  '_pass',
  'dbpass',
  'userpass',
  'storepass',
  'keypass',
  'pass=',
  'pass:',
  'pass"',
  '<pass>',
]
/** Names of values that machines choose: only what looks made by one. */
const KEYS = [
  'token',
  'secret',
  'credential',
  'api_key',
  'api-key',
  'apikey',
  'api key',
  '_key',
  '-key',
  'accesskey',
  'privatekey',
  'authkey',
  'signingkey',
  'encryptionkey',
  'masterkey',
  'accountkey',
  'sharedkey',
  'servicekey',
  'webhook',
  'bearer',
  'salt',
  'dsn',
  '_pat',
  '_auth',
  'jwt',
  'cookie_',
  'seed',
  'mnemonic',
  'otp',
  'license',
] // prettier-ignore

/** What of a name says that its value is about a secret, and none. */
const ABOUT =
  /(?:^|[_.-]|(?<=[a-z]))(?:hash|hashed|digest|checksum|count|counts|counter|file|filename|path|dir|url|uri|endpoint|host|name|names|id|ids|length|len|size|min|max|limit|budget|usage|used|ttl|expiry|expires|expiration|expire|age|type|types|kind|format|arn|policy|regex|pattern|field|header|label|prefix|suffix|public|pub|placeholder|hint|message|error|text|title|version|status|state|index|offset|at|in|algorithm|alg|mode|strategy|provider|primary|foreign|sort|partition|cache|idempotency|cursor|page|next|continuation|request|trace|input|output|prompt|completion|total|window|context|per|csrfname|enabled|required|column|attribute|attr|selector|testid|i18n)(?![a-z])/i

const NAME_TAIL = '[A-Za-z0-9_-]{0,30}'
const SEPARATOR = '\\\\{0,3}["\'`]?\\]?\\s{0,8}(?::\\s{0,3}[A-Za-z<>|[\\]]{1,30}\\s{0,3}=|:=|=>|={1,3}|:|!==?|,)\\s{0,8}'
const QUOTED = '(?<quote>\\\\{0,3}["\'`])(?<secret>(?:(?!\\k<quote>)(?:\\\\[^\\n]|[^\\n\\\\])){1,2000})'
const BARE = '(?<secret>[^\\s"\'`\\\\&;,<>]{4,2000})'

/** What stands before the hint, as far as it belongs to the name. */
function nameOf(match: RegExpExecArray, secret: string): string {
  const before = /[A-Za-z0-9_.-]{0,40}$/.exec(match.input.slice(Math.max(match.index - 40, 0), match.index))![0]
  const name = before + match[0].slice(0, match[0].length - secret.length)
  return /^[\w.-]*/.exec(name)![0]
}

const isSecretName = (name: string): boolean => !ABOUT.test(name.replace(/(?<=[a-z])(?=[A-Z])/g, '_'))
const isEnvName = (name: string): boolean => /^[A-Z][A-Z0-9_]*$/.test(name)

function isChosen(secret: string, match: RegExpExecArray): boolean {
  if (/\s/.test(secret)) return false
  const name = nameOf(match, secret)
  if (!isSecretName(name)) return false
  return isPassword(secret) || (isEnvName(name) && secret.length >= 5 && /^[\w.-]+$/.test(secret))
}

function isMade(secret: string, match: RegExpExecArray): boolean {
  if (/\s/.test(secret)) return false
  return (
    isSecretName(nameOf(match, secret)) &&
    !isWords(secret) &&
    isRandom(secret, 8) &&
    /\d|[A-Z].*[a-z].*[A-Z]/.test(secret) &&
    !/[()[\]{}]/.test(secret)
  )
}

const alternatives = (names: readonly string[]): string => names.join('|')

/** A name, what binds it, and a value: files of settings, programs, JSON, headers, query strings. */
export const assignmentRules: readonly Rule[] = [
  {
    name: 'password',
    hints: PASSWORDS,
    pattern: new RegExp(`(?:${alternatives(PASSWORDS.map((name) => name.replace(/[=:"]$/, '')))})${NAME_TAIL}${SEPARATOR}${QUOTED}`, 'i'),
    check: isChosen,
  },
  {
    name: 'password',
    hints: PASSWORDS,
    pattern: new RegExp(`(?:${alternatives(PASSWORDS.map((name) => name.replace(/[=:"]$/, '')))})${NAME_TAIL}${SEPARATOR}${BARE}`, 'i'),
    check: isChosen,
  },
  {
    name: 'password',
    hints: ['password>', 'pass>', 'secret>', 'token>', 'key>'],
    pattern: /(?:password|pass|secret|token|key)>\s{0,4}(?<secret>[^<\s]{4,300})(?=\s{0,4}<\/)/i,
    check: isPassword,
  },
  { name: 'secret', hints: KEYS, pattern: new RegExp(`(?:${alternatives(KEYS)})${NAME_TAIL}${SEPARATOR}${QUOTED}`, 'i'), check: isMade },
  { name: 'secret', hints: KEYS, pattern: new RegExp(`(?:${alternatives(KEYS)})${NAME_TAIL}${SEPARATOR}${BARE}`, 'i'), check: isMade },
]
