/** Where a version came from, for people: which sessions, when, in which project. */
import type { Provenance } from '../records.ts'
import { printable } from '../util/printable.ts'

/** Sessions and projects named; the rest is counted. */
const NAMED = 3
/** Of a UUID: tells the sessions of one machine apart, and is what the hosts' own lists show. Other ids may all begin alike. */
const UUID_START = /^[0-9a-f]{8}(?=-)/i
/** Characters of any other id. */
const LONGEST_ID = 40

/**
 * `2 sessions of cursor, codex (6d0f6a3e, 9b1f00c2), 2026-02-01 to 2026-03-01, in /home/dev/shop`: of all hosts that had a part in the
 * file, the one that wrote last at the end. Empty where nothing is known.
 */
export function originText(provenance: Provenance = {}): string {
  const { sessions = [], projects = [], from, to } = provenance
  const hosts = hostsOf(provenance)
  const [first, last] = [from, to].map((time) => time?.slice(0, 10))
  const when = first === last || last === undefined ? first : [first, last].filter((day) => day !== undefined).join(' to ')
  const ids = sessions.map(shortId)
  const who = [
    ...(ids.length === 0 ? [] : [`${ids.length} ${ids.length === 1 ? 'session' : 'sessions'}`]),
    ...(hosts.length === 0 ? [] : [`${ids.length === 0 ? '' : 'of '}${some(hosts)}`]),
    ...(ids.length === 0 ? [] : [`(${some(ids)})`]),
  ].join(' ')
  const parts = [who, when ?? '', projects.length === 0 ? '' : `in ${some(projects)}`]
  return printable(parts.filter((part) => part !== '').join(', '))
}

/** Beside `originText`: whether a person changed the file, and nothing else did since. Empty where that is not known. */
export function handText(provenance: Provenance = {}): string {
  if (!provenance.by_hand) return ''
  return originText(provenance) === '' ? 'written by hand' : 'last edited by hand'
}

/** All that had a part in the file, the one that wrote last at the end; older versions noted that one alone. */
export function hostsOf({ host, hosts = host === undefined ? [] : [host] }: Provenance): readonly string[] {
  return hosts
}

function shortId(id: string): string {
  return UUID_START.exec(id)?.[0] ?? (id.length <= LONGEST_ID ? id : `${id.slice(0, LONGEST_ID - 1)}…`)
}

/** The last ones, which are the newest, and how many more there are. */
function some(names: readonly string[]): string {
  const more = names.length - NAMED
  return names.slice(-NAMED).join(', ') + (more > 0 ? `, ${more} more` : '')
}

/** `2026-03-01 10:02`, in UTC as it is stored. */
export function minute(time: string): string {
  return printable(time.slice(0, 16).replace('T', ' '))
}

/** `1.3 kB`: how long a text is, in bytes of UTF-8. */
export function size(text: string): string {
  const bytes = Buffer.byteLength(text)
  return bytes < 1000 ? `${bytes} B` : `${(bytes / 1000).toFixed(1)} kB`
}
