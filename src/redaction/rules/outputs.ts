import type { Rule } from '../rule.ts'
import { isCode, isPassword, isRandom } from '../strength.ts'

/** To the end of the command's line, and what the next line holds alone. */
const NEXT_LINE =
  '[^\\n]{0,200}(?:\\n|\\\\n)[ \\t]{0,8}["\']?(?<secret>[^\\s"\'\\\\]{6,2000})(?=["\']?%?[ \\t]{0,4}(?:\\r?\\n|\\\\n|["\']|$))'

function printed(hints: readonly string[], command: string, check: (secret: string) => boolean): Rule {
  return { name: 'printed-secret', hints, pattern: new RegExp(command + NEXT_LINE, 'i'), check }
}

const isValue = (secret: string): boolean => isPassword(secret) && !isCode(secret) && !secret.endsWith(':')
const isToken = (secret: string): boolean => isRandom(secret, 12)

/** What a command prints that was asked for a secret: a line of its own under the command. */
export const outputRules: readonly Rule[] = [
  printed(['base64 -d', 'base64 --d'], '(?<=(?:secret|passw|token|key|cred)[^\\n]{0,200})base64 (?:-d|--decode)', isValue),
  printed(
    ['openssl rand ', 'pwgen ', 'wg genkey', 'wg genpsk', 'token_hex(', 'token_urlsafe(', 'randombytes('],
    '(?:openssl rand|pwgen|wg gen(?:key|psk)|token_(?:hex|urlsafe)\\(|randomBytes\\()',
    isToken,
  ),
  printed(
    [
      'secretstring',
      'kv get ',
      'pass show ',
      'find-generic-password',
      'op read ',
      'config:get ',
      'output -raw ',
      'with-decryption',
      'auth token',
      'print-access-token',
      'get-access-token',
      'keyring get ',
    ],
    '(?:secretstring|kv get [^\\n]{0,20}-field|pass show|find-generic-password|op read|config:get|output -raw|with-decryption|auth token|print-access-token|get-access-token|keyring get)',
    isValue,
  ),
  // `echo $DB_PASSWORD`, `printenv API_TOKEN`.
  printed(
    ['echo $', 'echo "$', 'echo ${', 'echo "${', 'printenv ', 'echo %', 'echo $env:'],
    '(?:echo ["\']?(?:\\$(?:env:)?\\{?|%)|printenv )[A-Z0-9_]{0,40}(?:PASS|PWD|SECRET|TOKEN|KEY|PAT|CRED)[A-Z0-9_]{0,20}',
    (secret) => isValue(secret) && (isToken(secret) || /\d/.test(secret)),
  ),
  // A file that holds a secret and nothing else.
  printed(
    ['cat '],
    'cat [^\\n|]{0,80}(?:secrets?/|password|passwd|token|secret|master\\.key|\\.key|api[_-]?key)',
    (secret) => isToken(secret) || (isValue(secret) && /\d/.test(secret) && /^\S+$/.test(secret) && !/[=:/]/.test(secret)),
  ),
  // What a program says before a secret that it made up.
  {
    name: 'printed-secret',
    hints: ['password'],
    pattern:
      /(?<=(?:following|temporary|generated|initial|new)(?: [a-z]{1,12}){0,2} )password [^\n]{1,80}?:(?:\s|\\n){1,8}["'`]?(?<secret>[^\s"'`\\]{6,200})/i,
    check: isValue,
  },
]
