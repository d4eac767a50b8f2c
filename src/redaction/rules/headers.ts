import type { Rule } from '../rule.ts'
import { isCode, isPassword, isRandom } from '../strength.ts'

const VALUE = '[^\\s"\'`,;\\\\<>(){}]'

/** Made by a machine, or by a person out of words and a number. */
function isToken(secret: string): boolean {
  if (isRandom(secret, 8)) return true
  return (
    secret.length >= 10 &&
    /[a-z]{3}[_-]?\d{2,}/i.test(secret) &&
    isPassword(secret) &&
    !isCode(secret) &&
    !/test|token|mock|fake|dummy|sample|abc|foo|key|secret/i.test(secret)
  )
}

export const headerRules: readonly Rule[] = [
  // RFC 7617: user and password in base64.
  {
    name: 'basic-authorization',
    hints: ['basic '],
    pattern: /Basic {1,3}(?<secret>[A-Za-z0-9+/]{8,4000}={0,2})/i,
    check: (secret) => {
      const account = Buffer.from(secret, 'base64')
        .toString('latin1')
        .replace(/[^\x20-\x7e]+$/, '')
      return /^[\x20-\x7e]*:[\x20-\x7e]*$/.test(account) && !/^(?:user(?:name)?:pass(?:word)?|Aladdin:open ?sesame)$/i.test(account)
    },
  },
  // RFC 6750, and what others write in its place.
  {
    name: 'bearer-token',
    hints: ['bearer '],
    pattern: new RegExp(`Bearer {1,3}(?:["'] ?\\+ ?["'])?(?<secret>${VALUE}{8,4000})`, 'i'),
    check: isToken,
  },
  {
    name: 'authorization',
    hints: ['authorization', 'x-auth'],
    pattern: new RegExp(
      `(?:authorization|x-auth[a-z-]{0,20})\\\\{0,3}["']?\\]?\\s{0,3}[:=,]\\s{0,3}[bfru]?\\\\{0,3}["'\`]?(?:[A-Za-z][\\w-]{1,20} {1,3})?(?<secret>${VALUE}{8,4000})`,
      'i',
    ),
    check: (secret) => isRandom(secret, 8),
  },
  // `X-Api-Key: …` and the like: words and a number are one as well.
  {
    name: 'secret',
    hints: ['-key: ', '-token: ', '-secret: '],
    pattern: new RegExp(`(?<=x-[a-z-]{0,30})-(?:key|token|secret): (?<secret>${VALUE}{8,400})`, 'i'),
    check: isToken,
  },
  {
    name: 'vault-token',
    hints: ['-token: s.', 'token s.', 'token=s.', 'token: s.', 'token="s.'],
    pattern: /token(?:: | |=|=")(?<secret>s\.[A-Za-z0-9]{20,})/i,
  },
  // Signatures: AWS, and RFC 7616.
  { name: 'authorization', hints: ['signature='], pattern: /(?<=Credential=[^\n]{0,300})Signature=(?<secret>[a-f0-9]{32,})/i },
  { name: 'authorization', hints: ['digest '], pattern: /Digest [^\n]{0,400}?response=\\?"(?<secret>[a-f0-9]{32,})/i },
  // RFC 6265: a session is whatever one of the pairs says; the whole header goes.
  {
    name: 'cookie',
    hints: ['cookie'],
    pattern:
      /cookie\\{0,3}["']?\s{0,3}[:=]\s{0,3}\\{0,3}["'`]?(?<secret>[\w.%-]{1,60}=[^\s"'`\\<>;]{1,4000}(?:;\s{0,2}[\w.%-]{1,60}=[^\s"'`\\<>;]{1,4000}){0,40})/i,
    check: (secret) => secret.split(/;\s*/).some((pair) => isRandom(pair.slice(pair.indexOf('=') + 1), 12)),
  },
  // The jar of curl, wget and browsers: seven columns with tabs.
  {
    name: 'cookie',
    hints: ['\tfalse\t', '\ttrue\t'],
    pattern: /\t(?:TRUE|FALSE)\t\d{1,12}\t[^\s]{1,80}\t(?<secret>[^\s]{8,4000})/,
    check: (secret) => isRandom(secret),
  },
  // curl's cookies.
  {
    name: 'cookie',
    hints: ['-b ', '--cookie '],
    pattern:
      /(?:-b|--cookie)\s{1,2}\\{0,3}["']?(?<secret>[\w.%-]{1,60}=[^\s"'`\\<>;]{4,4000}(?:;\s{0,2}[\w.%-]{1,60}=[^\s"'`\\<>;]{1,4000}){0,40})/,
    check: (secret) => secret.split(/;\s*/).some((pair) => isRandom(pair.slice(pair.indexOf('=') + 1), 12)),
  },
  // Sessions by the names that servers give them; and as Python's requests takes them.
  {
    name: 'cookie',
    hints: ['sessid=', 'sessionid=', 'connect.sid=', '_session=', 'aspxauth=', '__host-', '__secure-', 'session_token=', 'session-token='],
    pattern:
      /(?:sess(?:ion)?id|connect\.sid|_session|aspxauth|__(?:host|secure)-[\w.-]{1,60}|session[_-]token)=(?<secret>[^\s"'`\\<>;,&]{8,4000})/i,
    check: (secret) => isRandom(secret),
  },
  {
    name: 'cookie',
    hints: ['cookies'],
    pattern: /cookies\\?["']?\s{0,3}[=:]\s{0,3}\{\s{0,9}\\?["'][\w.-]{1,60}\\?["']\s{0,3}:\s{0,3}\\?["'](?<secret>[^"'\\\n]{8,4000})/i,
    check: (secret) => isRandom(secret),
  },
]
