import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOriginOf, parseAuthority } from '../../../src/keel/server/authority.ts'
import { type GuardedRequest, guard, LOOPBACK_NAMES, type RouteKind } from '../../../src/keel/server/guard.ts'

const NAMES = new Set<string>([...LOOPBACK_NAMES, 'keel.example'])

/** Each Host header with the origins that are its own; undefined: the daemon does not go by it. */
const HOSTS: readonly [string | undefined, readonly string[] | undefined][] = [
  ['localhost:7777', ['http://localhost:7777', 'https://localhost:7777', 'HTTP://LOCALHOST:7777']],
  ['LocalHost:7777', ['http://localhost:7777', 'https://localhost:7777', 'HTTP://LOCALHOST:7777']],
  ['localhost.:7777', ['http://localhost:7777', 'https://localhost:7777', 'HTTP://LOCALHOST:7777']],
  ['localhost', ['http://localhost']],
  ['localhost:80', ['http://localhost']],
  ['127.0.0.1:7777', ['http://127.0.0.1:7777']],
  ['[::1]:7777', ['http://[::1]:7777']],
  ['[::1]', []],
  ['localhost:3000', ['http://localhost:3000']],
  ['keel.example', ['https://keel.example', 'http://keel.example:80']],
  [undefined, undefined],
  ['', undefined],
  ['evil.example', undefined],
  ['evil.example:7777', undefined],
  ['localhost.evil.example:7777', undefined],
  ['evil-localhost', undefined],
  ['127.0.0.1.evil.example', undefined],
  ['127.0.0.2:7777', undefined],
  ['0.0.0.0:7777', undefined],
  ['[::]:7777', undefined],
  ['::1', undefined],
  ['localhost:7777, localhost:7777', undefined],
  ['user@localhost:7777', undefined],
  ['localhost:70000', undefined],
  ['localhost..:7777', undefined],
  ['localhost:', undefined],
  [' localhost', undefined],
]
const ORIGINS = [
  undefined,
  'null',
  '',
  'http://localhost:7777',
  'HTTP://LOCALHOST:7777',
  'https://localhost:7777',
  'http://localhost',
  'http://localhost:3000',
  'http://127.0.0.1:7777',
  'http://[::1]:7777',
  'https://keel.example',
  'http://keel.example:80',
  'http://evil.example',
  'http://evil.example:7777',
  'http://localhost:7777, http://localhost:7777',
  'file://',
  'chrome-extension://abcdef',
]
const SITES = [undefined, 'same-origin', 'same-site', 'cross-site', 'none', 'Same-Origin', '']
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'post']
const KINDS: readonly RouteKind[] = ['page', 'asset', 'form', 'api', 'health']
/** With what the request is for. */
const MODES = [
  [undefined, undefined],
  ['navigate', 'document'],
  ['navigate', 'iframe'],
  ['navigate', 'object'],
  ['navigate', undefined],
  ['cors', 'empty'],
] as const
const TYPES = [
  undefined,
  'application/json',
  'Application/JSON; charset=utf-8',
  'application/x-www-form-urlencoded',
  'text/plain',
  'application/json-patch+json',
]

/** What has to come of it, by the rules as they are written down, from the tables above. */
function expected(
  { method, kind, origin, secFetchSite: site, secFetchMode, secFetchDest, contentType }: GuardedRequest,
  own: readonly string[] | undefined,
): number {
  if (own === undefined) return 403
  if (method === 'OPTIONS') return 0
  if (!['GET', 'HEAD', 'POST'].includes(method)) return 405
  const isOwnOrigin = origin !== undefined && own.includes(origin)
  const trusted =
    site === undefined
      ? origin === undefined || isOwnOrigin
      : (site === 'same-origin' || site === 'none') && (origin === undefined || origin === 'null' || isOwnOrigin)
  if (method !== 'POST') return trusted || (kind === 'page' && secFetchMode === 'navigate' && secFetchDest === 'document') ? 0 : 403
  const isJson = contentType === TYPES[1] || contentType === TYPES[2]
  if (!trusted || (site === undefined && origin === undefined && !isJson)) return 403
  if (kind === 'api' && !isJson) return 415
  if (kind === 'form' && contentType !== TYPES[3]) return 415
  return 0
}

describe('guard', () => {
  it('lets pass what should pass and nothing else: Host × Origin × Sec-Fetch-Site × mode and destination × method × kind × content type', () => {
    const wrong: string[] = []
    let combinations = 0
    let passed = 0
    for (const [host, own] of HOSTS) {
      for (const origin of ORIGINS)
        for (const secFetchSite of SITES)
          for (const [secFetchMode, secFetchDest] of MODES)
            for (const method of METHODS)
              for (const kind of KINDS)
                for (const contentType of TYPES) {
                  const request = { host, origin, secFetchSite, secFetchMode, secFetchDest, method, kind, contentType }
                  const want = expected(request, own)
                  const got = guard(request, NAMES)?.status ?? 0
                  combinations++
                  if (got === 0) passed++
                  if (want !== got && wrong.length < 20) wrong.push(`${JSON.stringify(request)}: ${got}, not ${want}`)
                }
    }
    expect(wrong).toEqual([])
    expect(combinations).toBe(HOSTS.length * ORIGINS.length * SITES.length * MODES.length * METHODS.length * KINDS.length * TYPES.length)
    expect(passed).toBeGreaterThan(1000)
  })

  it('stops a rebound name even where the browser takes the page for its own', () => {
    const rebound = { method: 'GET', kind: 'api', host: 'evil.example:7777', secFetchSite: 'same-origin' } as const
    expect(guard(rebound, NAMES)).toMatchObject({ status: 403, code: 'wrong_host', hint: expect.stringContaining('KEEL_ALLOWED_HOSTS') })
  })

  it('lets no other page hold a stream open, nor show one of ours in a frame, and lets a link lead to a page', () => {
    const from = {
      method: 'GET',
      host: 'localhost:7777',
      secFetchSite: 'cross-site',
      secFetchMode: 'navigate',
      secFetchDest: 'document',
    } as const
    expect(guard({ ...from, kind: 'api' }, NAMES)).toMatchObject({ code: 'cross_site' })
    expect(guard({ ...from, kind: 'page' }, NAMES)).toBeUndefined()
    for (const secFetchDest of ['iframe', 'frame', 'object', 'embed', '', undefined]) {
      expect(guard({ ...from, kind: 'page', secFetchDest }, NAMES), secFetchDest).toMatchObject({ code: 'cross_site' })
    }
  })
})

describe('parseAuthority', () => {
  it('reads every name with every port, whatever its case', () => {
    const name = fc.oneof(
      fc.constantFrom('localhost', '127.0.0.1', '[::1]', '[fe80::1]'),
      fc.stringMatching(/^[a-z0-9][a-z0-9-]{0,10}(\.[a-z][a-z0-9]{0,5}){0,3}$/),
    )
    fc.assert(
      fc.property(name, fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined }), fc.boolean(), (host, port, upper) => {
        const text = port === undefined ? host : `${host}:${port}`
        expect(parseAuthority(upper ? text.toUpperCase() : text)).toEqual(port === undefined ? { name: host } : { name: host, port })
        expect(isOriginOf(`http://${text}`, parseAuthority(text)!)).toBe(true)
      }),
    )
  })

  it('never takes anything for one that a URL would read as another host', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 30 }), (text) => {
        const parsed = parseAuthority(text)
        // A last part that begins with a digit is a number to a URL; an underscore it takes, and so do we.
        if (parsed === undefined || /(?:^|\.)\d[^.]*$/.test(parsed.name) || parsed.name.includes('_') || parsed.name.startsWith('[')) return
        const asUrl = URL.canParse(`http://${text}`) ? new URL(`http://${text}`).hostname.replace(/\.$/, '') : parsed.name
        expect(parsed.name).toBe(asUrl)
      }),
      { numRuns: 2000 },
    )
  })
})
