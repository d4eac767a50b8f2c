/** Where what a proposer is asked goes: for the page, so that nobody has to guess what leaves the machine. Pure. */
import { isLoopback } from '../../util/proxy.ts'

export interface Destination {
  /** For a person: `Claude Code`; of a server `https://api.openai.com`, without what in an address may be secret. */
  readonly name: string
  /** `program`: one of this machine, which hands it on to its provider. `here`: a server of this machine. `elsewhere`: over the network. */
  readonly kind: 'program' | 'here' | 'elsewhere'
}

/** `leaves`: the server of this machine hands on what it is asked. */
export function serverDestination(url: URL, leaves = false): Destination {
  const path = url.pathname.replace(/\/+$/, '')
  // A name below localhost is for whoever resolves it to say.
  const isHere = isLoopback(url.hostname) && !url.hostname.endsWith('.localhost')
  return { name: `${url.origin}${path}`, kind: isHere && !leaves ? 'here' : 'elsewhere' }
}
