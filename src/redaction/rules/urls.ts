import type { Rule } from '../rule.ts'
import { isRandom } from '../strength.ts'

/** Names of query parameters that hold a secret, beyond those that the assignments know. */
const PARAMETERS =
  'key|code|appid|app_key|invite|session|otp|pass|pwd|secret|sig|signature|auth|x-amz-signature|x-amz-credential|x-goog-signature|x-goog-credential|hmac|ticket|sid|jwt|assertion|subscription-key'

export const urlRules: readonly Rule[] = [
  // RFC 3986, 3.2.1: user and password before the host, as databases, queues and git remotes are named. A password may hold `@`.
  {
    name: 'url-password',
    hints: ['://'],
    pattern: /:\/\/[^\s/@:"'`<>?#\\]{0,100}:(?<secret>[^\s/"`<>\\]{1,300}|(?!\d{1,5}[/?#])[^\s@"'`<>\\]{1,300})(?=@[\w.[$%*-])/,
    // The name again is what a server in a container is given by its image.
    check: (secret, match) =>
      !/^(?:pass|pw|pwd|user|x{2,}|\*+)$/i.test(secret) &&
      secret.length > 1 &&
      !match[0].startsWith(`://${secret}:`) &&
      !/^:\/\/anonymous:[a-z]+$/i.test(match[0]) &&
      !/^'[+,.]|[+,.]'$/.test(secret),
  },
  // Go's `user:password@tcp(host)`, and a proxy without its scheme.
  { name: 'url-password', hints: ['@tcp(', '@unix('], pattern: /(?<=[^\s"'`:@/]{1,60}:(?<head>[^\s"'`/]{1,100}))(?=@(?:tcp|unix)\()/ },
  {
    name: 'url-password',
    hints: ['proxy'],
    pattern: /proxy\w{0,10}\s{0,3}[=:]\s{0,3}["']?[^\s"'`:@/]{1,60}:(?<secret>[^\s"'`@/]{1,100})(?=@[\w.-])/i,
  },
  // Oracle's `user/password@host`.
  {
    name: 'url-password',
    hints: ['oracle:thin:', 'oracle:oci:', 'sqlplus '],
    pattern: /(?:oracle:(?:thin|oci):|sqlplus (?:-\S{1,8} )?)[^\s/@"']{1,60}\/(?<secret>[^\s@"']{1,200})(?=@)/,
  },
  // Anaconda's `/t/<token>/`.
  {
    name: 'url-token',
    hints: ['/t/'],
    pattern: /\/t\/(?<secret>[a-z]{2}-[A-Za-z0-9-]{20,})(?=\/)/,
    check: (secret) => isRandom(secret, 20),
  },
  // The same address, encoded to stand in another one.
  {
    name: 'url-password',
    hints: ['%3a%2f%2f'],
    pattern: /%3A%2F%2F[^\s/@:"'`<>&]{0,100}?%3A(?<secret>[^\s/@:"'`<>&]{2,300}?)(?=%40)/i,
  },
  // Addresses that let in whoever knows them.
  {
    name: 'url-token',
    hints: ['/reset', '/invit', '/verify', '/magic', '/confirm', '/activate/'],
    pattern: /\/(?:reset|invit|verif|magic|confirm|activate)[a-z_-]{0,20}\/(?<secret>[A-Za-z0-9_-]{20,400})/,
    check: (secret) => isRandom(secret, 20) && !/^[a-f0-9]{8}-[a-f0-9]{4}-/.test(secret),
  },
  {
    name: 'webhook-url',
    hints: ['/hooks/', '/webhook/', '/webhooks/', '/incoming/', '/hook/'],
    pattern: /\/(?:web)?(?:hooks?|incoming)\/(?:[a-z0-9._-]{1,20}\/){0,2}(?<secret>[A-Za-z0-9_-]{20,200}(?:\/[A-Za-z0-9_-]{10,200})?)/,
    check: (secret) => isRandom(secret, 20) && !/^[a-f0-9]{8}-/.test(secret),
  },
  // Services whose addresses are the secret: Microsoft's older channels, Make, IFTTT, Feishu, Vercel, Netlify, Healthchecks.
  {
    name: 'webhook-url',
    hints: [
      'outlook.office',
      'hook.eu',
      'hook.us',
      '/with/key/',
      '/bot/v2/hook/',
      '/integrations/deploy/',
      '/build_hooks/',
      'hc-ping.com/',
    ],
    pattern:
      /(?:outlook\.office(?:365)?\.com\/webhook\/|hook\.[a-z]{2}\d\.make\.com\/|\/with\/key\/|\/bot\/v2\/hook\/|\/integrations\/deploy\/[^\s/]{1,40}\/|\/build_hooks\/|hc-ping\.com\/)(?<secret>[A-Za-z0-9@/_-]{8,400})/,
    check: (secret) => /\d/.test(secret),
  },
  // A token in the place of the user, as git remotes have it. Sentry's key there is public.
  {
    name: 'url-token',
    hints: ['://'],
    pattern: /:\/\/(?<secret>[A-Za-z0-9_-]{16,200})(?=@(?!o\d{1,12}\.ingest\.)[\w.[-])/,
    check: (secret) => isRandom(secret, 16) && /\d/.test(secret),
  },
  {
    name: 'url-parameter',
    hints: PARAMETERS.split('|').flatMap((name) => [`?${name}=`, `&${name}=`, `\\u0026${name}=`]),
    pattern: new RegExp(`(?:[?&]|\\\\u0026)(?:${PARAMETERS})=(?<secret>[^\\s&"'\`<>\\\\#;)]{8,2000})`, 'i'),
    check: (secret) => isRandom(secret, 8) && /\d/.test(secret),
  },
]
