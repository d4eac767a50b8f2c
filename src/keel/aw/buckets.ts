/** ActivityWatch's list of buckets. Pure. */
import { parseTime } from './event.ts'

export interface AwBucket {
  readonly id: string
  /** `currentwindow`, `afkstatus` */
  readonly type: string
  readonly hostname: string
  /** Of its newest event, in milliseconds since 1970; 0 where the server does not say. */
  readonly lastUpdated: number
}

export function decodeBuckets(answer: Readonly<Record<string, unknown>>): AwBucket[] {
  return Object.entries(answer).flatMap(([id, value]) => {
    if (typeof value !== 'object' || value === null) return []
    const { type, hostname, last_updated, metadata } = value as Readonly<Record<string, unknown>>
    // Each server has its own place for it.
    const updated = last_updated ?? (metadata as { readonly end?: unknown } | null | undefined)?.end
    const lastUpdated = typeof updated === 'string' ? parseTime(updated) || 0 : 0
    return [{ id, type: String(type ?? ''), hostname: String(hostname ?? ''), lastUpdated }]
  })
}
