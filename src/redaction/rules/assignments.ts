import { isSecretName, isVariable, nameOf } from '../names.ts'
import type { Rule } from '../rule.ts'
import { entropy, isCode, isPassword, isPhrase, isRandom, isStandIn, isWordPassword } from '../strength.ts'
import { wordsOf } from '../words.ts'

/** Names of values that people choose: any value but a word is one. */
const CHOSEN = 'password passwd passphrase passwort kennwort passcode pwd creds'.split(' ')
/** Names of values that machines choose: only what looks made by one. */
const MADE = (
  'token secret credential api_key api-key apikey accesskey privatekey authkey signingkey encryptionkey masterkey accountkey sharedkey ' +
  'servicekey adminkey deploykey sessionkey clientkey licensekey _key -key webhook bearer salt dsn _pat _auth jwt mnemonic totp cookie_ hmac primarykey secondarykey instrumentationkey sonar.login npmauthident art-api'
)
  .split(' ')
  .concat('api key', 'access key')
/** Short names are one only as the last word of a name: `DB_PASS`, `smtpPass`, `pw`; not `STENCIL_PASS_DEPTH` and not `zpass`. */
const SHORT = new Set(['pass', 'pw', 'psk', 'dbpass', 'userpass', 'rootpass', 'adminpass'])
const SHORT_HINTS = ['pass', 'pw', 'psk'].flatMap((name) => ['=', ':', '"', "'", ' ', '\\', ']', '_'].map((after) => name + after))

const TAIL = '[A-Za-z0-9_-]{0,30}'
/** The end of a quoted name, of an index, of a call that reads a variable. */
const CLOSING = '(?:\\\\{0,3}["\'`])?[\\])]?\\s{0,8}'
const BINDING =
  "(?:\\?\\?=?|\\|\\|=?|:=|=>|[!=]={1,2}|=|\\bor\\b|\\.(?:equals|isEqualTo|toBe|toEqual)\\(|:(?:\\s{0,3}[A-Za-z0-9_<>|[\\]&*?. ']{1,40}=)?)"
/** Up to the quote that it began with; a doubled or escaped quote is a part of it. */
const QUOTED =
  '(?:[bfrun]{1,2}|(?:\\[\\]byte|bytes|buffer\\.from|secretstr|atob|b64decode|base64_decode|secret|string)\\()?(?<quote>\\\\{0,3}(?:"""|\'\'\'|["\'`]))(?<secret>(?:(?!\\k<quote>)(?:\\\\[^\\n]|[^\\n\\\\])|\\k<quote>{2}(?=\\w)){1,2000})'
/** YAML may say the type first. Neither a colour of a terminal nor another field belongs to it. */
const BARE = '(?:!![a-z]{1,8} |[|>][+-]?\\s{1,20})?(?<bare>(?:(?!\\[[\\d;]{1,10}m)[^\\s\\u0000-\\u001f"\'`\\\\&;,<>]){4,2000})'

const value = `${TAIL}${CLOSING}(?:(?:${BINDING}|,|\\()\\s{0,8}${QUOTED}|${BINDING}[^\\S\\n]{0,40}${BARE})`

function isChosen(secret: string, match: RegExpExecArray): boolean {
  const name = nameOf(match)
  if (!isSecretName(name) || isListed(secret, match, name)) return false
  // A number behind a longer name is a limit, a time, a count.
  if (/^\d+$/.test(secret) && !/(?:pass|pwd|pw|word|wort|code|phrase)$/i.test(name)) return false
  const before = match[0].slice(0, -secret.length)
  const isPlainName = /(?:pass|passwd|password|passphrase|wort|pwd|pw|psk)$/i.test(name)
  if (match.groups!.bare === undefined)
    return (
      isPassword(secret) ||
      isPhrase(secret) ||
      (isVariable(name) && (isShellValue(secret) || isPhrase(secret.toLowerCase()))) ||
      (isPlainName && /[:=]/.test(before) && isWordPassword(secret))
    )
  if (isVariable(name) && /=$/.test(before)) return isPassword(secret) || isShellValue(secret)
  if (isPlainName && (/(?::\s+|\w=)$/.test(before) || isIni(match)) && isLine(match) && isWordPassword(secret)) return true
  return isPassword(secret) && !isCode(secret)
}

function isShort(secret: string, match: RegExpExecArray): boolean {
  const name = nameOf(match)
  const last = wordsOf(name).at(-1) ?? ''
  return (SHORT.has(last) || (isVariable(name) && /(?<!by|com)pass$/.test(last))) && isChosen(secret, match)
}

/** `"HTTPPasswordMgr", "urllib2"`: names one after the other, and no value behind its name. */
function isListed(secret: string, match: RegExpExecArray, name: string): boolean {
  if (!/["'`]\s{0,8},\s{0,8}\W{1,6}$/.test(match[0].slice(0, -secret.length))) return false
  return (
    !/(?:pass|pwd|pw|word|wort|phrase|code|token|secret|credentials?|key|salt|pat|auth|jwt)$/i.test(name) ||
    /^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(secret)
  )
}

/** A line of settings and nothing else: `  password: buttercup`. */
function isLine(match: RegExpExecArray): boolean {
  const { input, index } = match
  const end = index + match[0].length
  return (
    /(?:^|[\n;?&]|\\n)[ \t-]{0,40}[\w.-]{0,40}$/.test(input.slice(Math.max(index - 90, 0), index)) &&
    /^[ \t]*(?:$|[\n\r&]|\\n)/.test(input.slice(end, end + 20))
  )
}

/** Among lines `name = value` or behind a `[section]`: `=` with spaces around it is a program's as well. */
function isIni(match: RegExpExecArray): boolean {
  return /(?:^|\n)(?:\[[^\]\n]{1,80}\]|[\w.-]{1,40} = [\w.@:/-]{1,80})\r?\n[ \t]{0,20}[\w.-]{0,40}$/.test(
    match.input.slice(Math.max(match.index - 240, 0), match.index),
  )
}

/** A variable's value is a value, whatever it looks like. */
function isShellValue(secret: string): boolean {
  return secret.length >= 4 && /^[\w.+-]+$/.test(secret) && !isStandIn(secret) && /[a-z0-9]/.test(secret)
}

function isMade(secret: string, match: RegExpExecArray): boolean {
  const name = nameOf(match)
  if (!isSecretName(name) || isListed(secret, match, name)) return false
  if (/secret|seed|mnemonic/i.test(name) && match.groups!.bare === undefined && isPhrase(secret)) return true
  if (/secret/i.test(name) && isVariable(name) && (isPassword(secret) || (/secret(?:_key)?$/i.test(name) && isWordPassword(secret))))
    return true
  if (isSalt(secret) && /key|salt/i.test(name)) return true
  return (
    !/\s/.test(secret) &&
    isRandom(secret, 8) &&
    (match.groups!.bare === undefined || (isVariable(name) && /=$/.test(match[0].slice(0, -secret.length))) || !isCode(secret))
  )
}

/** WordPress makes its keys of all printable characters, spaces among them. */
function isSalt(secret: string): boolean {
  return secret.length >= 32 && (secret.match(/[^\w\s]/g)?.length ?? 0) >= 8 && /\d/.test(secret) && entropy(secret) > 4.2
}

const named = (names: readonly string[], pattern: string): RegExp => new RegExp(`(?:${names.join('|')})${pattern}`, 'i')

/** A name, what binds it, and a value: files of settings, programs, JSON, headers, query strings. */
export const assignmentRules: readonly Rule[] = [
  { name: 'password', hints: CHOSEN, pattern: named(CHOSEN, value), check: isChosen },
  { name: 'password', hints: SHORT_HINTS, pattern: new RegExp(`(?:pass|pw|psk)(?![A-Za-z0-9-]|_[A-Za-z])${value}`, 'i'), check: isShort },
  { name: 'secret', hints: MADE, pattern: named(MADE, value), check: isMade },
  // `- name: X` and its `value: …` beside it or on the next line, as Kubernetes, XML and JSON settings have it.
  {
    name: 'secret',
    hints: [...CHOSEN, ...MADE],
    pattern: named(
      [...CHOSEN, ...MADE],
      `${TAIL}(?:\\\\{0,3}["'])?[\\s,>]{1,40}(?:\\\\{0,3}["'])?value(?:\\\\{0,3}["'])?\\s{0,3}[:=]\\s{0,3}(?:\\\\{0,3}["'])?(?<secret>[^\\s"'<>\\\\]{4,2000})`,
    ),
    check: (secret, match) => isSecretName(nameOf(match)) && isPassword(secret) && !isCode(secret),
  },
  // What a form is filled with, and the default of a declared variable or parameter.
  {
    name: 'password',
    hints: ['password"', "password'"],
    pattern: /password["'][^>\n]{0,120}?\svalue=\\{0,3}["'](?<secret>[^"'\n\\]{4,200})/i,
    check: isPassword,
  },
  {
    name: 'secret',
    hints: [...CHOSEN, ...MADE],
    pattern: named(
      [...CHOSEN, ...MADE],
      `${TAIL}(?:\\\\{0,3}["'])?\\s{0,3}[:{][^}"'=]{0,120}?(?:type\\s{0,3}=\\s{0,3}\\w{1,20}\\s{1,20})?(?:\\\\{0,3}["']type\\\\{0,3}["']: ?\\\\{0,3}["']string\\\\{0,3}["'],\\s{0,9})?\\\\{0,3}["']?default\\\\{0,3}["']?\\s{0,8}[:=]\\s{0,8}\\\\{0,3}["']?(?<secret>[^\\s"'<>,\\\\]{4,300})`,
    ),
    check: (secret, match) => isSecretName(nameOf(match)) && isPassword(secret),
  },
  // A variable's value goes to the end of its word, whatever signs are in it.
  {
    name: 'password',
    hints: [...CHOSEN, ...SHORT_HINTS.filter((hint) => hint.endsWith('='))],
    pattern:
      /(?<=(?:^|[\n+]|\\n|export |set |ENV |- )[A-Z0-9_]{0,40})(?:PASSWORD|PASSWD|PASSPHRASE|PASS|PWD|PW)[A-Z0-9_]{0,20}=(?<secret>(?:(?!&&|;\s|;[A-Za-z_]{1,40}=|\\n)[^\s"'`]){4,500})/,
    check: (secret, match) => isSecretName(nameOf(match)) && isPassword(secret),
  },
  // The other way round, as SQL sets it.
  {
    name: 'secret',
    hints: ['value ', 'value='],
    pattern: /value\s{0,3}=\s{0,3}\\{0,3}'(?<secret>[^'\n\\]{5,500})(?=\\{0,3}'[^\n]{1,60}(?:password|secret|token|api_?key))/i,
    check: isPassword,
  },
  // `"name": "session", "value": "…"`, as browsers save their cookies.
  {
    name: 'cookie',
    hints: ['"name"', '\\"name\\"'],
    pattern:
      /\\?"name\\?"\s{0,3}:\s{0,3}\\?"[\w.-]{0,40}(?:sess|sid|auth|token|jwt)[\w.-]{0,40}\\?",\s{0,40}\\?"value\\?"\s{0,3}:\s{0,3}\\?"(?<secret>[^"\\\n]{8,4000})/i,
    check: (secret) => isRandom(secret),
  },
  // `setx NAME value`, `setenv NAME value`, Docker's `ENV NAME value`, and commands that store a secret or a setting.
  {
    name: 'secret',
    hints: ['setx ', 'setenv ', 'env ', 'secret set ', 'secrets set ', 'variable set ', 'config set ', 'set -', '#define ', 'arg '],
    pattern:
      /(?:setx|setenv|env|arg|#define|(?:secret|variable|config)s? set|set)\s{1,3}(?:-[a-z]{1,3}\s{1,3}){0,2}[A-Za-z0-9_./:-]{0,60}(?:PASS|PWD|TOKEN|SECRET|KEY|CRED|PAT|AUTH)[A-Za-z0-9_]{0,30}\s{1,4}(?:(?:--body|--value|-b|-v)[ =]{1,3})?["']?(?<secret>[^\s"'`\\&;<>]{5,2000})/i,
    check: isPassword,
  },
  // A line of settings that is a name and a value, with nothing but space between them.
  {
    name: 'secret',
    hints: ['password ', 'passwd ', 'requirepass ', 'masterauth ', 'secret ', 'token ', 'password\t', 'secret\t', 'token\t'],
    pattern:
      /(?<=(?:^|\n)[ \t]{0,20})(?:password|passwd|requirepass|masterauth|secret|token)[ \t]{1,20}["']?(?<secret>[^\s"']{4,300})(?=["']?[ \t]{0,4}(?:\r?\n|$))/i,
    check: isPassword,
  },
  // XML elements and Apple's property lists.
  {
    name: 'password',
    hints: ['password>', 'pass>', 'passwd>', 'secret>', 'token>', 'key>'],
    pattern: /(?:password|pass|passwd|secret|token|key)>\s{0,20}(?<secret>[^<\s]{4,300})(?=\s{0,4}<\/)/i,
    check: isPassword,
  },
  {
    name: 'secret',
    hints: ['password</key>', 'secret</key>', 'token</key>', 'key</key>'],
    pattern: /(?:password|secret|token|key)<\/key>(?:\s|\\[nt]){0,20}<string>\s{0,4}(?<secret>[^<\s]{4,2000})/i,
    check: isPassword,
  },
  // `…, password) VALUES (…, 'x')`: the last column.
  {
    name: 'sql-password',
    hints: ['password)', 'passwd)', 'secret)', 'token)', 'api_key)'],
    pattern:
      /(?:password|passwd|secret|token|api_key)\)\s{0,4}values\s{0,4}\([^\n]{0,300}?,\s{0,3}'(?<secret>[^'\n]{4,300})(?='\s{0,3}\))/i,
    check: isPassword,
  },
  // The account of a registry in Docker's settings.
  {
    name: 'basic-authorization',
    hints: ['"auth', '\\"auth'],
    pattern: /\\?"auth\\?"\s{0,4}:\s{0,4}\\?"(?<secret>[A-Za-z0-9+/]{8,4000}={0,2})/,
    check: isRandomAccount,
  },
]

function isRandomAccount(secret: string): boolean {
  return /^[\x20-\x7e]+:[\x20-\x7e]+$/.test(Buffer.from(secret, 'base64').toString('latin1'))
}
