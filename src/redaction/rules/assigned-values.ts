import { isSecretName, isVariable, nameOf } from '../names.ts'
import { entropy, isCode, isPassword, isPhrase, isRandom, isStandIn, isWordPassword } from '../strength.ts'
import { wordsOf } from '../words.ts'

/** Whether a value that is bound to a name is a secret: what the name says, how it is bound, and what the line looks like. */

/** Short names are one only as the last word of a name: `DB_PASS`, `smtpPass`, `pw`; not `STENCIL_PASS_DEPTH` and not `zpass`. */
const SHORT = new Set(['pass', 'pw', 'psk', 'dbpass', 'userpass', 'rootpass', 'adminpass'])
/** Names that speak of a password and nothing else. */
const PLAIN_NAME = /(?:pass|passwd|password|passphrase|wort|pwd|pw|psk|contraseña|passe)$/i
/** Names of secrets that people choose as often as machines. */
const CHOSEN_SECRET =
  /(?:jwt|session|cookie|app|client|signing|auth|hmac|webhook|api|access|refresh|shared|consumer|admin)[._-]?secret$|(?:secret|master|encryption|signing|cipher)[._-]?key(?:[._-]?base)?$/i

/** A password, passphrase or passcode. */
export function isChosen(secret: string, match: RegExpExecArray): boolean {
  const name = nameOf(match)
  if (!isSecretName(name) || isListed(secret, match, name)) return false
  // A number behind a longer name is a limit, a time, a count.
  if (/^\d+$/.test(secret) && !/(?:pass|pwd|pw|word|wort|code|phrase)$/i.test(name)) return false
  const before = match[0].slice(0, -secret.length)
  if (isFallback(before)) return isPassword(secret)
  return match.groups!.bare === undefined ? isChosenQuoted(secret, match, name, before) : isChosenBare(secret, match, name, before)
}

function isChosenQuoted(secret: string, match: RegExpExecArray, name: string, before: string): boolean {
  if (isPassword(secret) || isPhrase(secret)) return true
  if (isVariable(name)) return isShellValue(secret) || isPhrase(secret.toLowerCase())
  if (!PLAIN_NAME.test(name)) return false
  // `setPassword("…")`, and settings: a sign within a word is in no message.
  const isSet = /[:=]/.test(before) || (/^(?:\w+\.)*(?:set_?|with_?)?password$/i.test(name) && /\(\\{0,3}["'`]$/.test(before))
  return isSet && (isWordPassword(secret) || (isLine(match, true) && isSignedPhrase(secret)))
}

function isChosenBare(secret: string, match: RegExpExecArray, name: string, before: string): boolean {
  if (isVariable(name) && /=$/.test(before)) return isPassword(secret) || isShellValue(secret)
  if (PLAIN_NAME.test(name) && isWordPassword(secret)) {
    if ((/(?::\s+|\w=)$/.test(before) || isIni(match)) && isLine(match)) return true
    if (/\w=$/.test(before) && isPair(match)) return true
  }
  return isPassword(secret) && !isCode(secret)
}

/** The same where the name is short. */
export function isShort(secret: string, match: RegExpExecArray): boolean {
  const name = nameOf(match)
  const last = wordsOf(name).at(-1) ?? ''
  // “tests pass: 120345”.
  if (/^\d+$/.test(secret) && /[A-Za-z]{2} $/.test(match.input.slice(Math.max(match.index - 3, 0), match.index))) return false
  return (SHORT.has(last) || (isVariable(name) && /(?<!by|com)pass$/.test(last))) && isChosen(secret, match)
}

/** A token, key or secret. */
export function isMade(secret: string, match: RegExpExecArray): boolean {
  const name = nameOf(match)
  if (!isSecretName(name) || isListed(secret, match, name)) return false
  if (/arn:aws[\w:-]{0,80}[:-]$/.test(match.input.slice(Math.max(match.index - 90, 0), match.index))) return false
  const isBare = match.groups!.bare !== undefined
  const before = match[0].slice(0, -secret.length)
  if (isFallback(before) && !isPassword(secret)) return false
  // Git's and Maven's: the id of a public key.
  if (/signing[._-]?key$/i.test(name) && /^(?:0x)?[0-9A-F]{8}(?:[0-9A-F]{8}(?:[0-9A-F]{24})?)?!?$/.test(secret)) return false
  // A table's, more often than an account's.
  if (/primary[._-]?key$/i.test(name) && secret.length < 20) return false
  if (/secret|seed|mnemonic/i.test(name) && !isBare && /[:=]/.test(before) && isPhrase(secret)) return true
  if (isSalt(secret) && /key|salt/i.test(name)) return true
  if (/(?:private|secret|signer|deployer)/i.test(name) && /^0x[0-9a-f]{64}$/i.test(secret)) return true
  if (isChosenSecret(secret, match, name, before)) return true
  // Code that speaks of a class, and a pattern of a token.
  if (/\s|\w::\w|\(\?[:=!<]|\[[a-z0-9]-/i.test(secret) || !isRandom(secret, 8)) return false
  return !isBare || (isVariable(name) && /=$/.test(before)) || !isCode(secret)
}

function isChosenSecret(secret: string, match: RegExpExecArray, name: string, before: string): boolean {
  const isBare = match.groups!.bare !== undefined
  if (isBare && isCode(secret) && !(isVariable(name) && /=$/.test(before))) return false
  if (isVariable(name)) {
    if (/secret/i.test(name) && isPassword(secret)) return true
    return (
      /(?:secret|(?:secret|master|encryption|signing|cipher)_key(?:_base)?)$/i.test(name) &&
      (isWordPassword(secret) || isPassword(secret) || (/^[a-z]{14,}$/.test(secret) && !isStandIn(secret)))
    )
  }
  if (!CHOSEN_SECRET.test(name) || !/[:=]/.test(before) || (isBare && !isLine(match))) return false
  return isWordPassword(secret) || (isPassword(secret) && !/secret|token/i.test(secret))
}

/** Behind `process.env.X ||`: often a word for development. */
function isFallback(before: string): boolean {
  return /[:=][^:=]*\benv(?:iron)?\b[^:=]*(?:\|\||\?\?|\bor\b)\s{0,8}\W{1,6}$/i.test(before)
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
function isLine(match: RegExpExecArray, isQuoted = false): boolean {
  const { input, index } = match
  const end = index + match[0].length
  const after = input.slice(end, end + 20)
  return (
    /(?:^|[\n;?&]|\\n|": ?")[ \t*-]{0,40}[\w.-]{0,40}$/.test(input.slice(Math.max(index - 90, 0), index)) &&
    (isQuoted ? /^\\{0,3}["'`][ \t]*(?:$|[\n\r]|\\n)/ : /^[ \t]*(?:$|[\n\r&]|\\n)/).test(after)
  )
}

/** Among lines `name = value` or behind a `[section]`: `=` with spaces around it is a program's as well. */
function isIni(match: RegExpExecArray): boolean {
  return /(?:^|\n)(?:\[[^\]\n]{1,80}\]|[\w.-]{1,40} = [\w.@:/-]{1,80})\r?\n[ \t]{0,20}[\w.-]{0,40}$/.test(
    match.input.slice(Math.max(match.index - 240, 0), match.index),
  )
}

/** One of several settings on a line: `user=app password=… host=db`, `Username=app;Password=…`. */
function isPair(match: RegExpExecArray): boolean {
  const { input, index } = match
  const end = index + match[0].length
  return (
    /[A-Za-z]=[^\s;&=,()]{1,80}(?:[;&]| {1,2})[A-Za-z_]{0,30}$/.test(input.slice(Math.max(index - 130, 0), index)) &&
    /^(?:$|["'\\\n\r;&]| +[A-Za-z_]+=| *$)/.test(input.slice(end, end + 40))
  )
}

/** A variable's value is a value, whatever it looks like. */
function isShellValue(secret: string): boolean {
  return secret.length >= 4 && /^[\w.+-]+$/.test(secret) && !isStandIn(secret) && /[a-z0-9]/.test(secret)
}

/** Several words with a sign within one: `p#ss: with colon`. */
function isSignedPhrase(secret: string): boolean {
  return (
    /[A-Za-z0-9][#@$%&*;=+^~][A-Za-z0-9]/.test(secret) &&
    !isStandIn(secret) &&
    !/\b(?:your|must|please|enter|should|invalid)\b/i.test(secret)
  )
}

/** WordPress makes its keys of all printable characters, spaces among them. */
function isSalt(secret: string): boolean {
  const signs = secret.match(/[^\w\s]/g)?.length ?? 0
  return secret.length >= 32 && signs >= (secret.length < 48 ? 8 : 5) && /\d/.test(secret) && entropy(secret) > 4.2
}
