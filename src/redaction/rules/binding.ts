/** How a name, what binds it and a value are written: in files of settings, programs, JSON, headers, query strings. Parts of patterns. */

/** Names of values that people choose: any value but a word is one. */
export const CHOSEN = 'password,passwd,passphrase,passwort,kennwort,passcode,pwd,creds,contraseña,mot_de_passe,motdepasse'.split(',')
/** Names of values that machines choose: only what looks made by one. */
export const MADE = (
  'token,secret,credential,bearer,salt,dsn,jwt,mnemonic,totp,hmac,webhook,cookie_,_pat,_auth,api_key,api-key,api key,apikey,access key,' +
  'accesskey,privatekey,authkey,signingkey,encryptionkey,masterkey,accountkey,sharedkey,servicekey,adminkey,deploykey,sessionkey,' +
  'clientkey,licensekey,primarykey,secondarykey,instrumentationkey,_key,-key,sonar.login,npmauthident,art-api'
).split(',')

/** The rest of a name. */
export const TAIL = '[A-Za-z0-9_-]{0,30}'
/** A quote as HTML escapes it. */
const ENTITY = '&(?:quot|apos|#3[49]);'
/** The end of a quoted name, of one in bold, of an index, of a call that reads a variable. */
const CLOSING = `(?:\\\\{0,7}["'\`]|${ENTITY}|\\*{1,3})?[\\])]?\\s{0,8}`
const COMPARING = '[!=]={1,2}|\\bor\\b|\\.(?:equals|isEqualTo|toBe|toEqual)\\('
/** A colon may have a type behind it: `password: string = …`. */
const TYPED = ":(?:\\s{0,3}[A-Za-z0-9_<>|[\\]&*?. ']{1,40}=)?"
const BINDING = `(?:\\?\\?=?|\\|\\|=?|:=|=>|${COMPARING}|=|%3D|${TYPED})`
/** Types and calls that a program puts around a literal. */
const WRAPPER = '[bfrun]{1,2}|(?:\\[\\]byte|bytes|buffer\\.from|secretstr|atob|b64decode|base64_decode|secret|string)\\('
/** Up to the quote that it began with; a doubled or escaped quote is a part of it. */
const QUOTED = `(?:${WRAPPER})?(?<quote>\\\\{0,7}(?:"""|'''|["'\`])|${ENTITY})(?<secret>(?:(?!\\k<quote>)(?:\\\\[^\\n]|[^\\n\\\\])|\\k<quote>{2}(?=\\w)){1,2000})`
/** YAML may say the type first. Neither a colour of a terminal nor another field belongs to it. */
const BARE = '(?:!![a-z]{1,8} |[|>][+-]?\\s{1,20})?(?<bare>(?:(?!\\[[\\d;]{1,10}m)[^\\s\\u0000-\\u001f"\'`\\\\&;,<>]){4,2000})'

/** The end of a name in bold, behind its colon. */
const BOLD = '(?:(?<=:)(?:\\*{2,3}|__)(?=\\s))?'
/** What a variable holds comes first, and the literal where it holds nothing. */
const DEFAULT = '(?:process\\.env|import\\.meta\\.env|os\\.environ|ENV)[\\w.?[\\]"\']{1,60}\\s{0,3}(?:\\|\\||\\?\\?|\\bor\\b)\\s{0,8}'

/** Behind a name: the rest of it, what binds, and the value, as group `secret` in quotes and `bare` without. */
export const VALUE = `${TAIL}${CLOSING}(?:(?:${BINDING}|<-|,|\\()${BOLD}\\s{0,20}(?:${DEFAULT})?${QUOTED}|${BINDING}${BOLD}[^\\S\\n]{0,40}${BARE})`

/** One of the names, and the pattern behind it, in any case. */
export function named(names: readonly string[], pattern: string): RegExp {
  return new RegExp(`(?:${names.join('|')})${pattern}`, 'i')
}
