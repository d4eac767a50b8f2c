/** Which proxy a request goes through. Pure; loopback targets never use one. */

/** A variable's value, from wherever the caller settles it (environment before config file). */
export type Lookup = (key: string) => string | undefined

/** The proxy for `url`, or undefined for a direct connection. `MEMU_HTTP_PROXY` goes before `HTTPS_PROXY` and `HTTP_PROXY`. */
export function proxyFor(url: URL, value: Lookup): string | undefined {
  if (isLoopback(url.hostname) || isExempt(url, value('NO_PROXY') ?? '')) return undefined
  const proxy = value('MEMU_HTTP_PROXY') ?? value(url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  if (!proxy) return undefined
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(proxy) ? proxy : `http://${proxy}`
}

export function isLoopback(hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return host === 'localhost' || host.endsWith('.localhost') || host === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(host)
}

/** `NO_PROXY`: hosts with commas or spaces between; a domain names its subdomains too; a port narrows it; `*` names everything. */
function isExempt(url: URL, noProxy: string): boolean {
  const host = url.hostname.toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  return noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true
      if (host === `[${entry}]`) return true // An IPv6 address, whose colons are not before a port.
      const [, name, wantedPort] = /^(.*?)(?::(\d+))?$/.exec(entry)!
      const domain = name!.replace(/^\*?\./, '')
      return (wantedPort ?? port) === port && (host === domain || host.endsWith(`.${domain}`))
    })
}
