import type { Rule } from '../rule.ts'
import { isCode, isPassword, isRandom, isStandIn, isWordPassword } from '../strength.ts'

const isValue = (secret: string): boolean => isPassword(secret) || isWordPassword(secret)

/** Settings in formats of their own, where name and value stand in other places than side by side. */
export const settingRules: readonly Rule[] = [
  // What a form is filled with.
  {
    name: 'password',
    hints: ['password"', "password'"],
    pattern: /password["'][^>\n]{0,120}?\svalue=\\{0,3}["'](?<secret>[^"'\n\\]{4,200})/i,
    check: isPassword,
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
    check: (secret, match) => isPassword(secret) || (match[0].at(-secret.length - 1) === '"' && isWordPassword(secret)),
  },
  // ASP.NET's key for signing.
  {
    name: 'secret',
    hints: ['"jwt', '\\"jwt'],
    pattern:
      /"jwt\w{0,20}\\?"\s{0,4}:\s{0,4}\{[^{}]{0,300}?\\?"(?:signing)?(?:key|secret)\\?"\s{0,4}:\s{0,4}\\?"(?<secret>[^"\\\n]{8,500})/i,
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
  // XML elements, by their name or by what it says of it, and Apple's property lists.
  {
    name: 'password',
    hints: ['password', 'pass', 'passwd', 'secret', 'token', 'key'].flatMap((name) => [`${name}>`, `${name}&gt;`]),
    pattern: /(?:password|pass|passwd|secret|token|key)(?:>|&gt;)\s{0,20}(?<secret>(?:(?!&lt;)[^<\s]){4,300})(?=\s{0,4}(?:<|&lt;)\/)/i,
    check: (secret, match) => isPassword(secret) || (/^pass/i.test(match[0]) && isWordPassword(secret)),
  },
  {
    name: 'password',
    hints: ['password">', 'passwd">', 'secret">', 'token">', 'key">', 'password\\">', 'key\\">'],
    pattern: /(?:password|passwd|secret|token|key)\\?">\s{0,20}(?<secret>[^<\s]{4,300})(?=\s{0,4}<\/)/i,
    check: (secret, match) => isRandom(secret, 8) || (/^pass/i.test(match[0]) && isValue(secret)),
  },
  {
    name: 'secret',
    hints: ['password</key>', 'secret</key>', 'token</key>', 'key</key>'],
    pattern: /(?:password|secret|token|key)<\/key>(?:\s|\\[nt]){0,20}<string>\s{0,4}(?<secret>[^<\s]{4,2000})/i,
    check: isPassword,
  },
  // ODBC's braces, and quotes in the middle of a connection string.
  {
    name: 'password',
    hints: ['pwd={', 'password={'],
    pattern: /(?:pwd|password)=\{(?<secret>[^}\n]{4,200})(?=\};?)/i,
    check: (secret) => /[^\w\s]|\d/.test(secret) && isPassword(secret.replace(/\s/g, '')) && !isCode(secret),
  },
  {
    name: 'password',
    hints: ['pwd="', "pwd='", 'password="', "password='", 'pwd=\\"', 'password=\\"'],
    pattern: /(?<=[A-Za-z]=[^\n=]{1,80};\s?)(?:pwd|password)=\\?(?<quote>["'])(?<secret>[^"'\n\\]{4,200})(?=\\?\k<quote>;)/i,
    check: (secret) => !isStandIn(secret),
  },
  // Wireless networks: what a picture for phones says, and what a board is told.
  { name: 'password', hints: ['wifi:'], pattern: /WIFI:(?:[A-Z]:[^;\n]{0,60};){0,3}?P:(?<secret>[^;\n]{4,100})(?=;)/ },
  {
    name: 'password',
    hints: ['wifi.begin('],
    pattern: /wifi\.begin\(\s{0,3}[^,\n]{1,60},\s{0,3}\\{0,3}["'](?<secret>[^"'\n\\]{4,100})(?=\\{0,3}["'])/i,
    check: isValue,
  },
  // Routers and switches.
  {
    name: 'password',
    hints: ['pre-shared-key ', 'snmp-server community ', 'rocommunity ', 'rwcommunity ', 'username '],
    pattern:
      /(?:pre-shared-key|(?:snmp-server |ro|rw)community|(?<=(?:^|\n|\\n)[ \t]{0,4})username \S{1,40}(?: privilege \d{1,2})? (?:password|secret)(?: [0-9])?) {1,4}["']?(?<secret>[^\s"'\\]{4,200})/i,
    check: (secret) => isValue(secret) && !/^(?:public|private|community)$/i.test(secret),
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
