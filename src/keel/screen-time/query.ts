/** What is asked of ActivityWatch, and what it answers. Pure. */
import type { AwBucket } from '../aw/buckets.ts'

/** The buckets of one machine. A watcher that is not installed has none. */
export interface Watchers {
  readonly window?: string
  readonly afk?: string
}

export interface ScreenTime {
  /** Seconds in which somebody was there. */
  readonly total: number
  /** The most used ones first. */
  readonly apps: readonly { readonly name: string; readonly seconds: number }[]
}

const MOST_APPS = 5

/** Those of this machine: a server may hold the buckets of several. Undefined where nothing watches it. */
export function chooseWatchers(buckets: readonly AwBucket[], hostname: string): Watchers | undefined {
  const watching = buckets.filter(({ type }) => type === 'currentwindow' || type === 'afkstatus')
  const host = ownName(new Set(watching.map((bucket) => bucket.hostname)), hostname)
  if (host === undefined) return undefined
  const newest = (type: string): string | undefined =>
    watching
      .filter((bucket) => bucket.type === type && bucket.hostname === host)
      .sort((a, b) => b.lastUpdated - a.lastUpdated)
      .at(0)?.id
  const window = newest('currentwindow')
  const afk = newest('afkstatus')
  return { ...(window === undefined ? {} : { window }), ...(afk === undefined ? {} : { afk }) }
}

/**
 * Networks change the name of a machine, and its domain even more often. So another name is this machine's where it is the only one; where
 * there are several, whose they are cannot be known.
 */
function ownName(names: ReadonlySet<string>, hostname: string): string | undefined {
  const host = (name: string): string => name.split('.', 1)[0]!.toLowerCase()
  const all = [...names]
  return (
    all.find((name) => name === hostname) ?? all.find((name) => host(name) === host(hostname)) ?? (all.length === 1 ? all[0] : undefined)
  )
}

/** One call a statement, and only functions that both servers know. Sums are events merged into one: so both give seconds. */
export function statements({ window, afk }: Watchers): string[] {
  const lines: string[] = []
  if (window !== undefined) lines.push(`window = query_bucket(${quoted(window)});`, 'window = flood(window);')
  if (afk !== undefined) {
    lines.push(
      `active = query_bucket(${quoted(afk)});`,
      'active = flood(active);',
      'active = filter_keyvals(active, "status", ["not-afk"]);',
    )
    if (window !== undefined) lines.push('window = filter_period_intersect(window, active);')
    lines.push('total = merge_events_by_keys(active, ["status"]);')
  }
  if (window === undefined) return [...lines, 'RETURN = {"total": total};']
  lines.push('apps = merge_events_by_keys(window, ["app"]);', 'apps = sort_by_duration(apps);')
  // Without the other watcher, time at the screen is time with a window.
  return [...lines, `RETURN = {"apps": apps, "total": ${afk === undefined ? 'apps' : 'total'}};`]
}

/** A bucket's name is anything. */
function quoted(id: string): string {
  return `"${id.replace(/["\\]/g, (character) => `\\${character}`)}"`
}

/** Undefined where it is no answer to the question. */
export function readAnswer(answer: unknown): ScreenTime | undefined {
  const { apps = [], total } = (answer ?? {}) as { readonly apps?: unknown; readonly total?: unknown }
  if (!Array.isArray(total) || !Array.isArray(apps)) return undefined
  return {
    total: total.map(seconds).reduce((sum, each) => sum + each, 0),
    apps: apps
      .map((event) => ({ name: appOf(event), seconds: seconds(event) }))
      .filter(({ name }) => name !== '')
      .sort((a, b) => b.seconds - a.seconds)
      .slice(0, MOST_APPS),
  }
}

function seconds(event: unknown): number {
  const duration = (event as { readonly duration?: unknown } | null)?.duration
  return typeof duration === 'number' && duration > 0 ? duration : 0
}

/** The program alone. Titles of windows and addresses of pages are nobody's business. */
function appOf(event: unknown): string {
  const app = (event as { readonly data?: { readonly app?: unknown } | null } | null)?.data?.app
  return typeof app === 'string' ? app : ''
}
