import type { Rule } from '../rule.ts'
import { isPassword, isPhrase, isRandom, isWordPassword } from '../strength.ts'

const isValue = (secret: string): boolean => isPassword(secret) || isPhrase(secret) || isWordPassword(secret)

/** What stands on one line before the comma in front of the secret: one string at most, so that there is one way to read it. */
const ARGUMENT = '[^\\n"\'`]{0,120}?(?:["\'`][^"\'`\\n]{0,80}["\'`][^\\n"\'`]{0,40}?)?'
/** One argument without a comma, where two stand before the secret. */
const PLAIN_ARGUMENT = '[^\\n"\'`,]{0,80}(?:["\'`][^"\'`\\n]{0,80}["\'`][^\\n"\'`,]{0,40})?'
const STRING = '\\\\{0,3}["\'`](?<secret>[^"\'`\\n\\\\]{4,500})(?=\\\\{0,3}["\'`])'

/** Functions that are known to take a secret in a place of their own. Only strings: what a variable holds is not written there. */
export const callRules: readonly Rule[] = [
  // Signing and enciphering.
  {
    name: 'secret',
    hints: ['jwt.sign', 'jwt.verify', 'jwt.encode', 'jwt.decode', 'jsonwebtoken'],
    pattern: new RegExp(`jwt\\.(?:sign|verify|encode|decode)\\(${ARGUMENT},\\s{0,3}${STRING}`, 'i'),
    check: isPassword,
  },
  {
    name: 'secret',
    hints: ['createhmac', 'createcipheriv', 'createdecipheriv', 'hmac.new', 'hash_hmac', 'fernet('],
    pattern: new RegExp(
      `(?:create(?:Hmac|Cipheriv|Decipheriv)\\([^\\n,]{1,40},\\s{0,3}|hmac\\.new\\(\\s{0,3}b?|hash_hmac\\(${PLAIN_ARGUMENT},${PLAIN_ARGUMENT},\\s{0,3}|Fernet\\(\\s{0,3}b?)${STRING}`,
      'i',
    ),
    check: isPassword,
  },
  {
    name: 'secret',
    hints: ['sign('],
    pattern: new RegExp(`(?<![A-Za-z])sign\\(${ARGUMENT},\\s{0,3}${STRING}`),
    check: (secret) => isRandom(secret, 16),
  },
  // What a test types into a field.
  {
    name: 'password',
    hints: ['password'],
    pattern: new RegExp(`password[^\\n]{0,60}?\\.(?:type|fill|send_?keys|set_?value|val)\\(\\s{0,3}${STRING}`, 'i'),
    check: isPassword,
  },
  {
    name: 'password',
    hints: ['password'],
    pattern: new RegExp(`(?<=\\.(?:type|fill|send_?keys|set_?value)\\([^\\n]{0,80})password[^\\n,]{0,20},\\s{0,3}${STRING}`, 'i'),
    check: isPassword,
  },
  {
    name: 'password',
    hints: ['sendkeys(', 'send_keys('],
    pattern: new RegExp(`send_?keys\\(\\s{0,3}${STRING}(?=[^\\n]{0,40}password)`, 'i'),
    check: isPassword,
  },
  // User and password.
  {
    name: 'password',
    hints: [
      'credential(',
      'credentials(',
      'basicauth(',
      'basic_auth(',
      'auth=(',
      'auth = (',
      '.login(',
      'setbasicauth(',
      'passwordauthentication(',
      'username_pw_set(',
    ],
    pattern: new RegExp(
      `(?:credentials?\\(|basic_?auth\\(|auth ?= ?\\(|\\.login\\(|\\.auth\\(|sp_addlogin |passwordauthentication\\(|username_pw_set\\()\\s{0,3}${ARGUMENT},\\s{0,3}${STRING}`,
      'i',
    ),
    check: isValue,
  },
  {
    name: 'password',
    hints: [
      'mysqli_connect',
      'new pdo(',
      'new mysqli',
      'new sequelize(',
      'mysql.connect(',
      'getconnection(',
      'pymysql.connect',
      'pg_connect',
    ],
    pattern: new RegExp(
      `(?:mysqli_connect|new PDO|new mysqli|new Sequelize|getConnection|mysql\\.connect)\\s{0,3}\\(${PLAIN_ARGUMENT},${PLAIN_ARGUMENT},\\s{0,3}${STRING}`,
      'i',
    ),
    check: isPassword,
  },
  // A password before it is hashed; user and password before they are encoded.
  {
    name: 'password',
    hints: ['bcrypt.', 'argon2.', 'hashpw(', 'password_hash(', 'password_verify('],
    pattern: new RegExp(
      `(?:(?:bcrypt|argon2)\\.(?:hash|compare|hashpw|checkpw|verify)(?:Sync)?|hashpw|password_hash|password_verify)\\(\\s{0,3}b?${STRING}`,
      'i',
    ),
    check: isPassword,
  },
  {
    name: 'basic-authorization',
    hints: ['btoa(', 'b64encode(', 'base64_encode(', 'buffer.from(', 'base64.encode'],
    pattern:
      /(?:btoa|b64encode|base64_encode|buffer\.from|base64\.encode\w{0,10})\(\s{0,3}b?["'`][^:"'`\n]{1,60}:(?<secret>[^"'`\n]{2,200})(?=["'`])/i,
    check: (secret) => !/[{}$]/.test(secret),
  },
  {
    name: 'secret',
    hints: ['secretkeyspec(', 'signwith('],
    pattern: new RegExp(`(?:secretkeyspec|signwith)\\(${ARGUMENT}${STRING}`, 'i'),
    check: isPassword,
  },
  // An application's id and its key after it.
  {
    name: 'secret',
    hints: ['algoliasearch('],
    pattern: new RegExp(`algoliasearch\\(${ARGUMENT},\\s{0,3}${STRING}`, 'i'),
    check: (secret) => isRandom(secret, 16),
  },
  // A client's number and its secret after it.
  {
    name: 'secret',
    hints: ['client(', 'twilio('],
    pattern: new RegExp(`(?:client|twilio)\\(\\s{0,3}["'](?:SK|AC)[a-f0-9]{32}["'],\\s{0,3}${STRING}`, 'i'),
    check: (secret) => isRandom(secret, 16),
  },
]
