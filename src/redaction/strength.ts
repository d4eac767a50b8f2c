import { isWords } from './words.ts'

/**
 * Whether a value looks as if it had been made up for nobody else to guess. Only asked where something else says already that a secret
 * belongs there (a name, a prefix, an option): alone it would take every commit hash for one.
 */

/** Words that stand where a secret goes, in lower case. */
const STAND_INS = new Set(
  (
    'true false null nil none undefined empty unset string str number int integer boolean bool any unknown never void object optional ' +
    'required default secret secrets password passwords passwd pass pwd token tokens key value values redacted removed hidden masked ' +
    'todo tbd n/a yes no on off basic bearer dbpass mypassword dbpassword userpass username user bytes buffer uint8array self this await new foobared hunter2 s3cr3t ' +
    's3cret passw0rd p@ssw0rd password1 password123 secret123'
  ).split(' '),
)
/** What says of a value that it is an example or was taken out already. */
const EXAMPLES =
  /example|placeholder|your(?=[-_ ])|(?<=[-_ ])here(?![a-z])|change[-_ ]?(?:me|it|this)(?![a-z0-9])|replace[-_ ]?(?:me|this|with)|redacted|dummy|insert(?=[-_ ])/gi
/** What an example is called besides. */
const GENERIC = /token|key|secret|password|passwd|pass|api|my|test|value|string/gi
/** What stands for characters that are not shown. */
const MASKS = /\*{3,}|\.{3,}|…+|•+|x{5,}|0{8,}|_{4,}|-{5,}/gi
/** Amazon's documented keys. */
const DOCUMENTED = /^A[A-Z0-9]{12,16}EXAMPLE\w{0,3}$|EXAMPLEKEY\w{0,3}$/
/** Variables and templates that are complete, wherever they stand in a value: the rest of it is put together with them. */
const TEMPLATES =
  /\$\{[\w.:!?@ -]{1,80}(?:\}|$)|^\$?\{\{|\{\{[^{}]{1,80}\}\}|^\{%|^<%|\$\([a-z][\w ./-]*(?:\)|$)|<[A-Za-z][A-Za-z _.-]{3,60}>|\{[a-z_]{3,40}\}/i
/** References and code that lead to a value: variables, calls, stores of secrets. */
const REFERENCES =
  /^\$[A-Za-z_]\w*(?:->?|\[|::|\.[a-z])|^%[A-Za-z_]+%$|^<[^<>]*>$|^@\.{0,2}\/|^!(?:Ref|Sub|GetAtt)\b|^(?:process\.env|os\.environ|import\.meta|env|secrets|vars|var|local|data|config)[.[(]|^(?:id|type|src)=|^\/\/\w|^(?:agent|cron):|^(?:op|vault|ssm|secretsmanager|awssm|gcpsm|keyring|env|file|https?):(?:\/|[A-Za-z_.-]*$)/i
/** Variables by their names, in the case that they have: in capitals, of PowerShell, by number. */
const VARIABLES = /^\$(?:[A-Z_][A-Z0-9_]*|\d|[Ee]nv:\w+)$|^(?:env|keyring|ssm|vault|secrets?):[A-Z][A-Z0-9_]*$/
/** Names behind a sign, of packages and routes; ports, types, the beginning of a hash; PowerShell's commands; what a field of Go is called. */
const NAMES =
  /^(?:Read|Get|New|Import|Invoke|Join|Select|ConvertTo|ConvertFrom|Unprotect)-[A-Z][A-Za-z]+$|^[A-Za-z_][\w-]*,(?:omitempty|omitzero|string|inline|squash|required)(?:,\w+)*$|^[$@&:!][a-z]+(?:[-_.:][a-z]+)*\d?$|^@[a-z][\w.-]*\/[\w./-]+$|^:\d{2,5}(?:\/|$)|^\w+<\w+>$|^\$\d\w?\$(?:\d+\$)?[\w./]{0,20}$/
/** One thing in brackets: `[id1]`, `{pw_2!r}`, `<<TOKEN1>>`, `&[u8;32]`. */
const BRACKETED = /^&?[[{(<]{1,2}[\w.:;,/#&! -]{1,60}[\]})>]{1,2}$/
/** A pattern that values are matched with. */
const PATTERNS = /\[\^[^\]]+\][+*{]|\[(?:a-z|A-Z|0-9)|\\[dwsDWS][+*{]|\(\?[:=!<P]/
/** Colours, dates, files, addresses of a module: made of letters and digits, and no secret. */
const PLAIN =
  /^#[0-9a-f]{3,8}$|^(?:required|nullable|sometimes|present|filled|confirmed)\||^(?:\.{0,2}|~)\/[\w./~-]*$|^v?\d+(?:\.\d+){1,3}$|^(?:sha|md|utf|base|aes|rsa|ed|es|hs|rs|ps|oauth|v|x|h|p|t|bcrypt|argon|pbkdf|cl|hs)-?\d{1,5}$|^argon2(?:id?|d)$|^\d{1,5}(?:ms|s|m|h|d|w|px|em|rem|kb|mb|gb|k)?$|^\d{4}-\d\d-\d\d(?:[T ][\d:.Z+-]*|-[a-z-]+)?$|^0x(?:[0-9a-f]{1,31}|[0-9a-f]{40})$|^(?!.*\d{4}).*[a-z\d](?:Password|Secret|Token|Key|Auth)$|\.(?:json|ya?ml|toml|pem|key|crt|txt|ts|js|py|md|env|xml|html|css|scss|conf|sh)$/i

/** A placeholder, a reference to the secret, or what was removed already; never the secret itself: the value as a whole is one. */
export function isStandIn(value: string): boolean {
  return (
    STAND_INS.has(value.toLowerCase().replace(/[\])}>,.;:]+$/, '')) ||
    isExample(value) ||
    isReference(value) ||
    new Set(value).size < Math.min(4, value.length / 2)
  )
}

/** Nothing but an example: `your-api-key-here`, `sk-xxxxxxxx`, `ghp_ab12...`. What is strong without the words of an example is none. */
function isExample(value: string): boolean {
  if (/^x{3,}$/i.test(value) || DOCUMENTED.test(value)) return true
  const shown = value.replace(MASKS, ' ')
  const rest = shown.replace(EXAMPLES, ' ')
  if (rest === value) return false
  const characters = rest.replace(/[^A-Za-z0-9]+/g, '')
  if (characters.replace(GENERIC, '').length <= 6) return true
  const masked = value.length - value.replace(MASKS, '').length
  if (masked * 5 >= value.length * 2 && characters.length < 16) return true
  // What a program shows of a secret, so that it can be told from others.
  if (/\*{3}|\.{3}|…|•/.test(value)) return rest.split(' ').every((part) => part.length < 16)
  const digits = characters.replace(/\D/g, '').length
  if (digits >= 2 && /[a-z]/.test(characters) && /[A-Z]/.test(characters)) return false
  return isWords(rest) || /^\d+$/.test(characters)
}

/** Leads to a value. A sign alone proves nothing: passwords begin with any; words behind it are a name. */
function isReference(value: string): boolean {
  if ([VARIABLES, TEMPLATES, REFERENCES, NAMES, PATTERNS].some((pattern) => pattern.test(value))) return true
  if (BRACKETED.test(value)) return !(/[a-z]/.test(value) && /[A-Z]/.test(value) && /\d\D*\d\D*\d/.test(value))
  if (!/^(?:[$@&<{([]|::?\w|!{1,2}[a-z])/.test(value)) return false
  const name = value.replace(/\[\d+\]|(?<=[a-z_])\d(?!\d)/g, '')
  return !/\d/.test(name) && isWords(name)
}

/** Bits a character, by how often each stands in the value. */
export function entropy(value: string): number {
  const counts = new Map<string, number>()
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / value.length) * Math.log2(count / value.length)
  return bits
}

/** Made by a machine: of `length` characters or more, which are no words and change as chance does. */
export function isRandom(value: string, length = 12): boolean {
  if (value.length < length || isStandIn(value) || PLAIN.test(value) || isWords(value)) return false
  if (!/\d|[A-Z][^A-Z]*[a-z][^A-Z]*[A-Z]|^(?!.*abcdef)[a-z]{20,}$|^(?!.*ABCDEF)[A-Z]{20,}$/.test(value) || !/[A-Za-z]/.test(value))
    return false
  return entropy(value) >= Math.min(3, Math.log2(value.length) * 0.75)
}

/** Chosen by a person: five characters or more, and more than a word or a name that a program would use. */
export function isPassword(value: string): boolean {
  if (value.length < 5 || /\s/.test(value) || isStandIn(value) || PLAIN.test(value)) return false
  // A role of reStructuredText.
  if (/^:?[A-Za-z]+(?::[A-Za-z]+)*:$/.test(value)) return false
  if (/^\d+$/.test(value)) return value.length >= 6
  if (/[^\w.-]/.test(value)) return /[\p{L}\p{N}]{2}/u.test(value) || isMixed(value)
  if (/\d/.test(value)) return /[A-Za-z]/.test(value)
  return isCapitalisedWords(value) || isRandom(value, 10)
}

/** Letters and signs by turns, as a generator puts them. */
function isMixed(value: string): boolean {
  return value.length >= 12 && (value.match(/[A-Za-z0-9]/g)?.length ?? 0) >= 4 && new Set(value.match(/[^A-Za-z0-9]/g)).size >= 5
}

/** `Gorse_latch`, `Woad-and-madder`: words put together with a capital, as no identifier is; and they do not speak of passwords. */
export function isCapitalisedWords(value: string): boolean {
  return /^[A-Z][a-z]+(?:[._-][A-Za-z]?[a-z]+)+$/.test(value) && !/pass|word|secret|token|key|user|login|auth|field|input|form/i.test(value)
}

/** Several words that are no sentence of a program to a person: `nine quiet plovers`. */
export function isPhrase(value: string): boolean {
  return (
    /^[\p{L}\p{N}!?.-]+(?: [\p{L}\p{N}!?.-]+){1,11}$/u.test(value) &&
    /^[\p{Ll}\p{N}]|\d/u.test(value) &&
    !/\b(?:pass\w*|pwd|token|secret|key|enter|your|please|must|required?|invalid|wrong|missing|failed|cannot|should|expired|incorrect|not|is|are|be|was|with|login|sign|field|user|mot|de|wort|for|from|of|or|and|to)\b/i.test(
      value,
    )
  )
}

/** `user.password`, `getToken()`, `a[i]`, `x => y`: what a program says instead of a value. */
export function isCode(value: string): boolean {
  return /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)+[)\]};:,]*$|^!*[\w$.?:\\]+(?:->[\w$]+)?[([]|[)}\]][;:,]*$|^\w{0,4}[)}\]]|^!+[A-Za-z_$][\w$]*\.|\/\*|=>|\|\||&&|^[A-Za-z_$][\w$.]*=[A-Za-z_$]|^[A-Za-z]?[a-z]+(?:[A-Z][a-z]{2,})+$|^\w*_(?:key|token|secret|password)(?:_\w*)?$/.test(
    value,
  )
}

/** Letters alone that are what a form, a type or a sentence says about a password; among them what the word is in other languages. */
const ABOUT_PASSWORDS = new Set(
  (
    'hidden visible field label email strict weak strong medium disabled enabled plain plaintext cleartext hashed encrypted invalid missing ' +
    'incorrect wrong function changed updated unchanged prompt option options argument always varchar longtext binary bytea generated random ' +
    'expired autofill forgot confirm protected authentication authorization database oauth manual session correct provided supplied ' +
    'instead without before after should cannot please another existing current needed stored strength hashing prompted allowed ignored ' +
    'kennwort passwort contraseña contrasena clave senha wachtwoord lösenord losenord salasana adgangskode parola heslo hasło haslo jelszó parole şifre sifre'
  ).split(' '),
)

/** A word that somebody took for a password: letters alone, and none that is said about passwords. Only where nothing else can stand. */
export function isWordPassword(value: string): boolean {
  return (
    /^\p{L}{2,}(?:[-_.]\p{L}+)*$/u.test(value) &&
    value.length >= 6 &&
    !/pass|secret|token|key|user|login|auth|field|input|form|schema|text|string|^(?:not|no|un|in|is|has)[-_.]/i.test(value) &&
    !ABOUT_PASSWORDS.has(value.toLowerCase()) &&
    !isStandIn(value) &&
    !/[a-z][A-Z]|^[a-z]+\.[a-z]+\./.test(value)
  )
}
