/**
 * Whether a value looks as if somebody had made it up for nobody else to guess. Only asked where something else says already that a
 * secret belongs there (a name, a prefix, an option): alone it would take every commit hash for one.
 */

/** Words that people write where a secret goes. Compared with the value in lower case, without quotes. */
const STAND_INS =
  /^(?:true|false|null|nil|none|undefined|empty|unset|string|number|boolean|any|unknown|never|void|object|bytes?|required|optional|default|secret|password|passwd|token|key|value|redacted|removed|hidden|masked|todo|tbd|n\/a|yes|no|off|on)$/
/** Parts of a value that say that it is an example. */
const EXAMPLES =
  /example|placeholder|your[-_ ]|[-_ ]here\b|change[-_ ]?(?:me|it|this)|replace[-_ ]?(?:me|this|with)|redacted|dummy|insert[-_ ]|xxxx|\*\*\*|\.\.\.|…|•••|0{8}|_{4}|-{5}/i
/** References and code that stand for a value: variables, templates, calls. */
const REFERENCES =
  /^[$%@&<{([]|\$\{|\{\{|\$\(|<[A-Za-z][^<>]{0,60}>|^%[A-Za-z_]+%$|^!(?:Ref|Sub|GetAtt|secret)\b|^(?:process\.env|os\.environ|import\.meta|env|secrets|vars)[.[(]/

/** A placeholder, a reference to the secret, or a mark of ours; never the secret itself. */
export function isStandIn(value: string): boolean {
  return STAND_INS.test(value.toLowerCase()) || EXAMPLES.test(value) || REFERENCES.test(value) || distinct(value) < 4
}

/** Bits a character, by how often each stands in the value. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

function distinct(value: string): number {
  return new Set(value).size
}

/** Made by a machine: long enough, and its characters are in no order that a person would choose. */
export function isRandom(value: string, length = 12): boolean {
  if (value.length < length || isStandIn(value) || isWords(value)) return false
  return entropy(value) >= Math.min(3, Math.log2(value.length) * 0.75)
}

/** Chosen by a person: short, but more than a word or a name of the program. */
export function isPassword(value: string): boolean {
  if (value.length < 5 || isStandIn(value)) return false
  if (/[^\w.-]/.test(value) && /[A-Za-z0-9]{3}/.test(value)) return !isCode(value)
  return /\d/.test(value) ? /[A-Za-z]/.test(value) && !isVersion(value) : isRandom(value, 10)
}

/** `user.password`, `getToken()`, `a || b`: what a program says instead of a value. */
function isCode(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:(?:\?\.|\.|::|->)[A-Za-z_$][\w$]*)+[(;,)]*$|[A-Za-z_]\w*\(|\)$|^\/|=>|\|\||&&|^[A-Za-z_]\w*\[/.test(value)
}

function isVersion(value: string): boolean {
  return /^v?\d+(?:\.\d+){1,3}$|^(?:sha|md|utf|base|aes|rsa|ed|p|x|oauth|v)-?\d{1,5}$/i.test(value)
}

/** Words put together as identifiers and file names are: `current-password`, `userPassword2`, `AUTH_TOKEN`, `a.b.c`. */
export function isWords(value: string): boolean {
  const words = value.split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/).filter(Boolean)
  const letters = words.reduce((sum, word) => sum + word.length, 0)
  if (letters === 0) return false
  const digits = value.length - value.replace(/\d/g, '').length
  if (digits > 2 && digits * 5 > value.length) return false
  const pronounceable = words.filter(isPronounceable).reduce((sum, word) => sum + word.length, 0)
  return pronounceable >= letters * 0.7
}

/** Vowels and consonants take turns as in a language: no more than four of a kind in a row, three letters at least. */
function isPronounceable(word: string): boolean {
  if (word.length < 3) return false
  return /[aeiouy]/i.test(word) && !/[^aeiouy]{5}|[aeiou]{4}/i.test(word) && (/^[A-Z]?[a-z]+$/.test(word) || /^[A-Z]+$/.test(word))
}
