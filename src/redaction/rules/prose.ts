import type { PatternRule, Rule } from '../rule.ts'
import { isCapitalisedWords, isCode, isPassword, isPhrase, isRandom, isWordPassword } from '../strength.ts'
import { isWords } from '../words.ts'

/** What people call it in the languages that our users write most. Two characters are no hint: what links them to the value is one with them. */
const PASSWORDS =
  'password,passwort,kennwort,passphrase,pass phrase,passcode,mot de passe,contraseña,la clave,senha,wachtwoord,hasło,пароль,パスワード,비밀번호,şifre,heslo,lösenord,salasana,adgangskode,jelszó,wlan-schlüssel,wifi key'.split(
    ',',
  )
/** Short words, with what stands behind them: alone they are parts of many. */
const SHORT = [
  'pw is',
  'pw:',
  'pw =',
  'pwd is',
  'pass is',
  'mdp:',
  'mdp :',
  'mdp est',
  "mdp c'est",
  'clave:',
  'clave es',
  'pass:',
  'pw ist',
  'pwd:',
  'pw for ',
  'pwd for ',
  'pw für ',
  'mdp pour ',
  'clave para ',
]
const CHINESE = ['密码', '密碼', '口令']
const CHINESE_KEYS = ['密钥', '密鑰', '令牌', '金鑰', 'apiキー', 'シークレット', 'トークン', 'api 키', 'api키']
const CHINESE_LINKS = ['是', '为', '為', ':', '：', ' ', '=']
const KEYS =
  "token,secret,api key,api-key,access key,secret key,signing key,unseal key,master key,license key,the key,my key,recovery code,credentials,private key,stream key,schlüssel,api-schlüssel,clé api,clé d'api,clave de api,clave api,chave de api,chiave api".split(
    ',',
  )

/** Between the name and the value: “… for the staging server is”, `[None]:`. */
const LINK =
  "(?:(?:\\s[^\\n.:=：\"'{}<>\\\\]{0,100}?)??(?:\\s(?:is|was|ist|lautet:?|war|es|est|c'est|é|è|to|are|be|becomes|wäre)(?=\\s)|'s(?=\\s)|\\s?[:：]\\*{0,2}|[^\\S\\n](?:=|->|→|–|—|-|\\|)(?=[^\\S\\n])|是|为|為|は|는|은))\\s{0,6}"
const OPENING = '["\'`*“„«(]{0,3}'
const VALUE = '(?<secret>[^\\s"\'`*“”„»\\\\<>,;，。；]{4,300}[^\\s"\'`*“”„»\\\\<>,;.!?):，。；]!?)'
const VALUE_QUOTED =
  '(?:\\*{2})?(?:(?<quote>\\\\{0,3}["\'`])(?<secret>(?:(?!\\k<quote>)[^\\n]){5,120})(?=\\k<quote>)|[“„«](?<bare>[^“”»\\n\\\\]{5,120})(?=[“”»]))'

/** No letter stands before; the name may be in bold. */
const NAME_START = '(?<![A-Za-z0-9-]|[A-Za-z0-9]_)'
const NAME_END = '(?:\\*{1,3}|__?)?'

function said(name: string, hints: readonly string[], words: readonly string[], rest: string, check: PatternRule['check']): Rule {
  return {
    name,
    hints,
    pattern: new RegExp(`${NAME_START}(?:${words.join('|')})${NAME_END}${rest}`, 'iu'),
    ...(check === undefined ? {} : { check }),
  }
}

/** Letters, and something that no word of a sentence has: a digit, or a sign in its middle. */
function isSaid(secret: string): boolean {
  if (isCapitalisedWords(secret)) return true
  // “at least 8 characters”, in scripts that put no space between words.
  if (/[\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]/.test(secret) && !/^[\x21-\x7e]{5}/.test(secret)) return false
  return (
    /\p{L}/u.test(secret) && /\d|[^\w.'’/-]/.test(secret) && isPassword(secret) && !isCode(secret) && !/^[\p{L}-]+[.!?…]?$/u.test(secret)
  )
}

/** Nothing links it to the name, so that it must look like nothing else. */
function isUnlinked(secret: string): boolean {
  return /^\p{L}\S*\d/u.test(secret) && /^[\p{L}\p{N}!?#@+-]+$/u.test(secret) && isPassword(secret)
}

/** Nothing comes behind it on its line. */
function isLast(match: RegExpExecArray): boolean {
  const end = match.index + match[0].length
  return /^["'`*)]{0,3}[.!]?[ \t]*(?:$|[\r\n]|\\n)/.test(match.input.slice(end, end + 30))
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
  // `**Password:** …` to the end of its word: where a name is in bold, no code follows.
  {
    name: 'password',
    hints: PASSWORDS.flatMap((word) => [`${word}:**`, `${word}**`, `${word}:__`, `${word}__`]),
    pattern: new RegExp(
      `(?:${PASSWORDS.join('|')})(?::(?:\\*\\*|__)|(?:\\*\\*|__)\\s?:)\\s{1,3}(?<secret>(?!["'\`])(?:(?!\\\\n|"(?:[\\s},\\]]|$))\\S){5,200})`,
      'iu',
    ),
    check: (secret) => isSaid(secret) || (isPassword(secret) && (/\d/.test(secret) || !isWords(secret)) && /[^\w.,:;()-]/.test(secret)),
  },
  // “Passphrase: nine quiet plovers”, without quotes.
  {
    name: 'password',
    hints: ['passphrase', 'pass phrase'],
    pattern: /pass ?phrase(?: for [^\n.:]{1,30})?(?: is|:)\s{1,3}(?<secret>[a-z]{2,12}(?: [a-z]{2,12}){2,8})(?=\s{0,3}(?:[.\n"']|$))/i,
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
  said(
    'password',
    [...PASSWORDS, 'pw ', 'pass ', ...CHINESE.map((word) => `${word} `)],
    [...PASSWORDS, 'pw', 'pass', ...CHINESE],
    `\\s{1,2}${OPENING}${VALUE}`,
    isUnlinked,
  ),
  // “pw is …”, “mdp : …”, “pw for the test server: …”.
  {
    name: 'password',
    hints: SHORT,
    pattern: new RegExp(
      `(?<![\\p{L}\\p{N}_-])(?:(?:pw|pwd|mdp|clave) (?:for|für|pour|para) [^\\n.:=]{1,40}?|pw|pwd|pass|mdp|clave)(?:\\s?[:=]| is| ist| es| est| c'est)\\s{1,3}${OPENING}${VALUE}`,
      'iu',
    ),
    check: (secret, match) => isSaid(secret) || (/[a-z]-[a-z]/.test(secret) && isLast(match) && isWordPassword(secret)),
  },
  // “user: admin, password: …”, “username admin / password …”: both in one place are an account.
  {
    name: 'password',
    hints: ['password', 'passwort', 'pass', 'contraseña', 'mot de passe'],
    pattern: new RegExp(
      `(?<=(?:user(?:name)?|login|e-?mail|account|benutzer(?:name)?|usuario|utilisateur|identifiant)(?: is|\\s?[:=])? ["'\`]?[\\w.@+-]{2,60}["'\`]?\\s?(?:[,;/|]| and| und| y| et)?\\s?)(?:password|passwort|pass|contraseña|mot de passe)(?: is| ist|\\s?[:=])?\\s{1,2}${OPENING}${VALUE}`,
      'iu',
    ),
    check: (secret, match) => isSaid(secret) || (isLast(match) && isWordPassword(secret)),
  },
  // “(password: …)”, and the root password that is a word with a hyphen.
  {
    name: 'password',
    hints: ['(password: ', '(passwort: ', '(pw: ', '(pass: '],
    pattern: new RegExp(`\\((?:password|passwort|pw|pass): ${OPENING}(?<secret>[^\\s"'\`(){}]{4,200})(?=["'\`]?\\))`, 'i'),
    check: (secret) => isPassword(secret) || (/-/.test(secret) && isWordPassword(secret)),
  },
  // “admin / …”: a sign, or a capital and a digit.
  {
    name: 'password',
    hints: [
      'admin / ',
      'root / ',
      'user / ',
      'demo / ',
      'test / ',
      'guest / ',
      '.com / ',
      '.de / ',
      '.org / ',
      '.io / ',
      '.net / ',
      'admin` / ',
    ],
    pattern: new RegExp(`(?:admin|root|user|demo|test|guest|\\.(?:com|de|org|io|net))["'\`]? \\/ ${OPENING}${VALUE}`, 'i'),
    check: (secret) => isSaid(secret) && /\d/.test(secret) && (/[A-Z]/.test(secret) || /[^\w.-]/.test(secret)) && !secret.includes('/'),
  },
  // “log in with admin / …”, “credentials: admin:…”.
  said(
    'password',
    ['login', 'log in', 'logged in', 'sign in', 'credentials', 'creds', 'zugangsdaten', 'identifiants', 'credenciales', '账号密码'],
    ['login', 'log in', 'logged in', 'sign in', 'credentials', 'creds', 'zugangsdaten', 'identifiants', 'credenciales', '账号密码'],
    `(?: with| as| is| are| sind| sont| son|是|\\s?:|：){0,2}\\s{1,2}${OPENING}[\\w.@+-]{1,60}["'\`]?\\s?[:/]\\s?["'\`]?${VALUE}`,
    (secret) => isSaid(secret) && !secret.includes('/'),
  ),
  // “log in as dev with …”.
  said(
    'password',
    ['login', 'log in', 'logged in', 'sign in', 'melde dich', 'einloggen'],
    ['login', 'log in', 'logged in', 'sign in', 'melde dich', 'einloggen'],
    ` (?:as|is|with|using|mit|als) ["'\`]?[\\w.@+-]{1,60}["'\`]?,? (?:with|using|and|mit) ${OPENING}${VALUE}`,
    isUnlinked,
  ),
  // “changed from … to …”.
  {
    name: 'password',
    hints: ['password', 'passwort', 'passphrase'],
    pattern: new RegExp(`pass(?:word|wort|phrase)[^\\n.:="'\`]{0,40}? (?:from|von) ${OPENING}${VALUE}`, 'iu'),
    check: (secret) => secret.length >= 8 && isUnlinked(secret),
  },
  // “use bob:… to log in”.
  {
    name: 'password',
    hints: [' to log in', ' to login', ' to sign in', ' to log into'],
    pattern: /(?<=(?<![\w.@+/-])[\w.@+-]{1,60}:(?<head>[^\s"'`/:]{5,100})["'`]?)(?= to (?:log|sign) ?in)/i,
    check: isUnlinked,
  },
  // “use … as the password”.
  {
    name: 'password',
    hints: [
      ' as the password',
      ' as password',
      ' for the password',
      ' as my password',
      ' as your password',
      ' als passwort',
      ' as the root password',
      ' as the admin password',
    ],
    pattern: /(?<=\s["'`]?(?<head>[^\s"'`]{5,100}["'`]?))(?= (?:as|als|is|ist|for) (?:(?:the|my|your|das|mein|root|admin) ){0,2}pass)/i,
    check: (secret) => isUnlinked(secret.replace(/["'`]/g, '')),
  },
  // The same in scripts that put no space between words.
  {
    name: 'secret',
    hints: CHINESE_KEYS.flatMap((word) => (word.length > 2 ? [word] : CHINESE_LINKS.map((link) => word + link))),
    pattern: new RegExp(
      `(?:${CHINESE_KEYS.join('|')})(?:は|是|为|為|는|은)?\\s?[:：=]?\\s?${OPENING}(?<secret>[A-Za-z0-9+/=_.-]{12,2000})`,
      'iu',
    ),
    check: (secret) => isRandom(secret),
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
