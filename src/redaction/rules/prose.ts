import type { Rule } from '../rule.ts'
import { isCapitalisedWords, isCode, isPassword, isPhrase, isRandom, isWordPassword } from '../strength.ts'
import { isWords } from '../words.ts'

/** What people call it in the languages that our users write most. Two characters are no hint: what links them to the value is one with them. */
const PASSWORDS =
  'password,passwort,kennwort,passphrase,pass phrase,passcode,mot de passe,contraseña,la clave,senha,wachtwoord,hasło,пароль,パスワード,비밀번호'.split(
    ',',
  )
const CHINESE = ['密码', '密碼', '口令']
const CHINESE_LINKS = ['是', '为', '為', ':', '：', ' ', '=']
const KEYS =
  'token,secret,api key,api-key,access key,secret key,signing key,unseal key,master key,license key,the key,my key,recovery code,credentials'.split(
    ',',
  )

/** Between the name and the value: “… for the staging server is”, `[None]:`. */
const LINK =
  '(?:(?:\\s[^\\n.:=："\'{}<>\\\\]{0,100}?)??(?:\\s(?:is|was|ist|lautet|war|es|est|é|to|are|becomes|wäre)(?=\\s)|\\s?[:：]|\\s(?:=|->|→|–|—|-|\\|)(?=\\s)|是|为|為|は))\\s{0,6}'
const OPENING = '["\'`*“„«(]{0,3}'
const VALUE = '(?<secret>[^\\s"\'`*“”„»\\\\<>,;，。；]{4,300}[^\\s"\'`*“”„»\\\\<>,;.!?):，。；]!?)'
const VALUE_QUOTED = '["\'`“„«](?<secret>[^"\'`“”»\\n\\\\]{5,120})(?=["\'`“”»])'

function said(name: string, hints: readonly string[], words: readonly string[], rest: string, check: Rule['check']): Rule {
  return { name, hints, pattern: new RegExp(`(?<![\\w-])(?:${words.join('|')})${rest}`, 'iu'), ...(check === undefined ? {} : { check }) }
}

/** Letters, and something that no word of a sentence has: a digit, or a sign in its middle. */
function isSaid(secret: string): boolean {
  if (isCapitalisedWords(secret)) return true
  return (
    /\p{L}/u.test(secret) && /\d|[^\w.'’/-]/.test(secret) && isPassword(secret) && !isCode(secret) && !/^[\p{L}-]+[.!?…]?$/u.test(secret)
  )
}

/** Nothing links it to the name, so that it must look like nothing else. */
function isUnlinked(secret: string): boolean {
  return /^\p{L}\S*\d/u.test(secret) && /^[\p{L}\p{N}!?#@+-]+$/u.test(secret) && isPassword(secret)
}

/** Said in a sentence: “the password is …”, “my API key: …”. Only what no word looks like. */
export const proseRules: readonly Rule[] = [
  said(
    'password',
    [...PASSWORDS, ...CHINESE.flatMap((word) => CHINESE_LINKS.map((link) => word + link))],
    [...PASSWORDS, ...CHINESE],
    `${LINK}${OPENING}${VALUE}`,
    isSaid,
  ),
  said(
    'password',
    PASSWORDS,
    PASSWORDS,
    `${LINK}${VALUE_QUOTED}`,
    (secret) => isPassword(secret) || isPhrase(secret) || isWordPassword(secret),
  ),
  // “Passphrase: nine quiet plovers”, without quotes.
  {
    name: 'password',
    hints: ['passphrase', 'pass phrase'],
    pattern: /pass ?phrase(?: is|:)\s{1,3}(?<secret>[a-z]{2,12}(?: [a-z]{2,12}){2,8})(?=\s{0,3}(?:[.\n"']|$))/i,
    check: isPhrase,
  },
  // Digits alone, right behind the word; and Google's app passwords, four times four letters.
  {
    name: 'password',
    hints: ['password', 'passcode', ' pin ', 'pin:', 'pin=', 'pin is', 'passwort'],
    pattern: / ?(?<![A-Za-z_-])(?:pin|passcode|password|passwort)(?: code)?(?: is| ist|:|=) ?["'`]?(?<secret>\d{4,12})(?![\w.-])/i,
    check: (secret, match) => secret.length >= 6 || /^ ?p(?:in|asscode)/i.test(match[0]),
  },
  {
    name: 'password',
    hints: ['password'],
    pattern: /password[^\n.:=]{0,30}(?: is|:|=)? ?["'`]?(?<secret>[a-z]{4}(?: [a-z]{4}){3})(?![a-z])/i,
    check: (secret) => !isWords(secret),
  },
  // “…, Passwort Sanddorn22”.
  said('password', [...PASSWORDS, 'pw '], [...PASSWORDS, 'pw'], `\\s{1,2}${OPENING}${VALUE}`, isUnlinked),
  // “log in with admin / …”, “credentials: admin:…”.
  said(
    'password',
    ['login', 'log in', 'logged in', 'sign in', 'credentials', 'creds', 'zugangsdaten'],
    ['login', 'log in', 'logged in', 'sign in', 'credentials', 'creds', 'zugangsdaten'],
    `(?: with| as| is| are|:){0,2}\\s{1,2}${OPENING}[\\w.@+-]{1,60}["'\`]?\\s?[:/]\\s?["'\`]?${VALUE}`,
    (secret) => isSaid(secret) && !secret.includes('/'),
  ),
  // “log in as dev with …”.
  said(
    'password',
    ['login', 'log in', 'logged in', 'sign in'],
    ['login', 'log in', 'logged in', 'sign in'],
    ` (?:as|is|with) ["'\`]?[\\w.@+-]{1,60}["'\`]?,? (?:with|using|and|mit) ${OPENING}${VALUE}`,
    isUnlinked,
  ),
  // “use … as the password”.
  {
    name: 'password',
    hints: [
      ' as the password',
      ' as password',
      ' as my password',
      ' as your password',
      ' als passwort',
      ' as the root password',
      ' as the admin password',
    ],
    pattern: /(?<=\s["'`]?(?<head>[^\s"'`]{5,100}["'`]?))(?= (?:as|als|is|ist) (?:(?:the|my|your|das|mein|root|admin) ){0,2}pass)/i,
    check: (secret) => isUnlinked(secret.replace(/["'`]/g, '')),
  },
  said(
    'secret',
    KEYS,
    KEYS,
    `${LINK}${OPENING}${VALUE}`,
    (secret) => isRandom(secret, 8) && /\d/.test(secret) && !/[()[\]{}]/.test(secret.replace(/=+$/, '')),
  ),
  // “my token …”, `| secret | … |`.
  said(
    'secret',
    ['token', 'secret', 'api key'],
    ['token', 'secret', 'api key'],
    `\\s{1,3}(?:\\|\\s{1,3})?["'\`]?${VALUE}`,
    (secret) => isRandom(secret, 16) && /^[\w+/=-]+$/.test(secret) && !secret.includes('-'),
  ),
  // BIP 39: twelve to twenty-four words.
  {
    name: 'seed-phrase',
    hints: ['seed phrase', 'mnemonic', 'recovery phrase', 'secret phrase', 'seed words'],
    pattern: /(?:seed|mnemonic|recovery|secret)[^\n:=]{0,30}[:=]\s{0,3}["'`]?(?<secret>[a-z]{3,8}(?: [a-z]{3,8}){11,23})/i,
  },
]
