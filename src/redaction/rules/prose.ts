import type { Rule } from '../rule.ts'
import { isPassword } from '../strength.ts'

/** Said in a sentence: “the password is …”, “my API key: …”. Only what no word looks like. */
export const proseRules: readonly Rule[] = [
  {
    name: 'password',
    hints: ['password', 'passwort', 'passphrase', 'passcode', 'token', 'secret', 'api key', 'credentials'],
    pattern:
      /(?:password|passwort|passphrase|passcode|token|secret|api key|credentials)[^\n.:=]{0,40}?(?: is| was| ist| to| are|:|=)\s{1,3}["'`*“]{0,3}(?<secret>[^\s"'`*”\\<>,;]{5,300}[^\s"'`*”\\<>,;.!?):])/i,
    check: (secret) => /\d/.test(secret) && isPassword(secret),
  },
]
