/** What a Host header and an Origin name: a host and perhaps a port. Pure. */
export interface Authority {
  /** Lower case, without a trailing dot; an IPv6 address in its brackets. */
  readonly name: string
  readonly port?: number
}

const AUTHORITY = /^(?:(\[[0-9a-f:.]+\])|([a-z0-9_-]+(?:\.[a-z0-9_-]+)*)\.?)(?::(\d{1,5}))?$/

/** Undefined for what is none, a list of several included. */
export function parseAuthority(text: string | undefined): Authority | undefined {
  const match = AUTHORITY.exec(text?.toLowerCase() ?? '')
  if (match === null) return undefined
  const [, address, host, digits] = match
  const name = (address ?? host)!
  if (digits === undefined) return { name }
  const port = Number(digits)
  return port > 0 && port < 65_536 ? { name, port } : undefined
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, https: 443 }

/** Whether a page of this origin came from the server that the Host header names. The scheme counts for the port that it stands for. */
export function isOriginOf(origin: string, host: Authority): boolean {
  const [, scheme = '', rest] = /^(https?):\/\/(.*)$/.exec(origin.toLowerCase()) ?? []
  const authority = parseAuthority(rest)
  if (authority === undefined || authority.name !== host.name) return false
  const standard = DEFAULT_PORTS[scheme]
  return (authority.port ?? standard) === (host.port ?? standard)
}
