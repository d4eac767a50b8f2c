import { describe, expect, it } from 'vitest'
import { isLoopback, proxyFor } from '../../src/util/proxy.ts'

function proxy(url: string, values: Record<string, string>): string | undefined {
  return proxyFor(new URL(url), (key) => values[key])
}

describe('choosing a proxy', () => {
  const all = { MEMU_HTTP_PROXY: 'http://memu:1', HTTPS_PROXY: 'http://s:2', HTTP_PROXY: 'http://h:3' }

  it('takes our own variable first, then the one for the scheme', () => {
    expect(proxy('https://api.example', all)).toBe('http://memu:1')
    expect(proxy('https://api.example', { ...all, MEMU_HTTP_PROXY: '' })).toBeUndefined()
    expect(proxy('https://api.example', { HTTPS_PROXY: 's:2', HTTP_PROXY: 'h:3' })).toBe('http://s:2')
    expect(proxy('http://api.example', { HTTPS_PROXY: 's:2', HTTP_PROXY: 'h:3' })).toBe('http://h:3')
    expect(proxy('https://api.example', {})).toBeUndefined()
  })

  it.each([
    'http://localhost:11434',
    'http://127.0.0.1/x',
    'http://127.8.9.1',
    'http://[::1]:1',
    'https://a.localhost',
    'http://LOCALHOST.',
  ])('never sends %s through a proxy', (url) => {
    expect(isLoopback(new URL(url).hostname)).toBe(true)
    expect(proxy(url, all)).toBeUndefined()
  })

  it('does not take a name that only begins like loopback for it', () => {
    for (const url of ['http://localhost.example', 'http://127.0.0.1.example', 'http://10.0.0.1'])
      expect(proxy(url, all)).toBe('http://memu:1')
  })

  it.each([
    ['api.example', 'https://api.example/v1', true],
    ['example', 'https://api.example/v1', true],
    ['.example', 'https://api.example/v1', true],
    ['*.example', 'https://api.example/v1', true],
    ['other, API.example', 'https://api.example', true],
    ['a b  api.example', 'https://api.example', true],
    ['*', 'https://api.example', true],
    ['api.example:443', 'https://api.example', true],
    ['api.example:8443', 'https://api.example', false],
    ['pi.example', 'https://api.example', false],
    ['10.1.2.3', 'http://10.1.2.3:80', true],
    ['fd00::7', 'http://[fd00::7]/', true],
    ['', 'https://api.example', false],
  ])('with NO_PROXY=%j reaches %s directly: %j', (noProxy, url, direct) => {
    expect(proxy(url, { ...all, NO_PROXY: noProxy }) === undefined).toBe(direct)
  })
})
