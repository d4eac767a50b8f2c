/** Addresses of model servers as people write them. Pure. */
import { MemuError } from '../../../util/errors.ts'
import { AI_KEYS } from '../settings.ts'

/** Errors: `invalid_setting` for anything but http and https, and for credentials, which would be shown with the address. */
export function serverUrl(address: string): URL {
  const text = address.trim()
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new MemuError('invalid_setting', `${AI_KEYS.url} is not an http:// or https:// address.`, { exit: 2 })
  }
  if (url.username !== '' || url.password !== '') {
    throw new MemuError('invalid_setting', `${AI_KEYS.url} holds a user name or password.`, {
      hint: `Take it out; a key belongs into ${AI_KEYS.key}.`,
      exit: 2,
    })
  }
  url.hash = ''
  return url
}

/** The address of `path` below that of the server; a query stays, since some gateways want one. */
export function endpoint(base: URL, path: string): URL {
  const url = new URL(base)
  url.pathname = `${base.pathname.replace(/\/+$/, '')}/${path}`
  return url
}

/** With or without `/v1`, and also as it is copied with the whole path. A version, or a query, says that the path is complete. */
export function openAiBase(url: URL): URL {
  const base = new URL(url)
  base.pathname = url.pathname.replace(/\/+$/, '').replace(/\/(?:chat\/completions|completions|models)$/, '')
  const isComplete = /(?:^|\/)v\d\w*(?:\/|$)/.test(base.pathname) || base.search !== ''
  return isComplete ? base : endpoint(base, 'v1')
}

/** As Ollama's own variable names it, too: `host:port` of the server, with or without `/api`. */
export function ollamaBase(url: URL): URL {
  const base = new URL(url)
  base.pathname = url.pathname.replace(/\/+$/, '').replace(/\/api(?:\/chat|\/generate)?$|\/v1$/, '')
  return base
}
