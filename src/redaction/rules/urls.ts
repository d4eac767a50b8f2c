import type { Rule } from '../rule.ts'
import { isRandom, isWords } from '../strength.ts'

/** Names of query parameters that hold a secret, beyond those that the assignments know. */
const PARAMETERS =
  'key|code|sig|signature|auth|x-amz-signature|x-amz-credential|x-goog-signature|x-goog-credential|hmac|ticket|sid|jwt|assertion|subscription-key'

export const urlRules: readonly Rule[] = [
  // RFC 3986, 3.2.1: user and password before the host, as databases, queues and git remotes are named. A password may hold `@`.
  {
    name: 'url-password',
    hints: ['://'],
    pattern: /:\/\/[^\s/@:"'`<>?#\\]{0,100}:(?<secret>[^\s/"'`<>\\]{1,300})@(?=[\w.[$%*-])/,
    check: (secret) => !/^(?:pass|pw|pwd|user|x{2,}|\*+)$/i.test(secret) && secret.length > 1,
  },
  // A token in the place of the user, as git remotes and Sentry have it.
  {
    name: 'url-token',
    hints: ['://'],
    pattern: /:\/\/(?<secret>[A-Za-z0-9_-]{16,200})(?=@[\w.[-])/,
    check: (secret) => isRandom(secret, 16) && /\d/.test(secret),
  },
  {
    name: 'url-parameter',
    hints: PARAMETERS.split('|').flatMap((name) => [`?${name}=`, `&${name}=`, `\\u0026${name}=`]),
    pattern: new RegExp(`(?:[?&]|\\\\u0026)(?:${PARAMETERS})=(?<secret>[^\\s&"'\`<>\\\\#;)]{8,2000})`, 'i'),
    check: (secret) => !isWords(secret) && isRandom(secret, 8) && /\d/.test(secret),
  },
]
