/** The way out: only where a provider on the network is used. Never shows a proxy's credentials. */
import { EMBEDDING_BASE_URLS } from '../../config/defaults.ts'
import { isLoopback, proxyFor } from '../../util/proxy.ts'
import { type Check, fail, ok } from '../check.ts'

export const proxyCheck: Check = {
  name: 'network',
  run({ settings }) {
    const { provider, baseUrl = EMBEDDING_BASE_URLS[provider] } = settings.embedding
    if (provider === 'local') return [ok('not used: embedding works offline.')]
    if (baseUrl === undefined || !URL.canParse(baseUrl)) return [] // The check of the embedding says it.
    const url = new URL(baseUrl)
    const proxy = proxyFor(url, settings.value)
    if (proxy === undefined) return [ok(`${url.host} is reached directly${isLoopback(url.hostname) ? ', on this machine' : ''}.`)]
    const keys = 'MEMU_HTTP_PROXY, HTTPS_PROXY and HTTP_PROXY'
    if (!URL.canParse(proxy))
      return [fail('The address of the proxy is not a URL.', `Correct ${keys} in the environment or in ${settings.configFile}.`)]
    const { protocol, host } = new URL(proxy)
    if (!/^https?:$/.test(protocol)) {
      return [
        fail(
          `The proxy ${host} is a ${protocol.slice(0, -1)} one, which cannot be used.`,
          `Give an http:// proxy in MEMU_HTTP_PROXY, or put ${url.hostname} into NO_PROXY.`,
        ),
      ]
    }
    return [ok(`${url.host} is reached through the proxy ${host}.`)]
  },
}
