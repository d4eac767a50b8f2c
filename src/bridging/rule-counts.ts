/** How many secrets each rule removed, summed up for a report. */

export type RuleCounts = ReadonlyMap<string, number>

export interface Counter {
  add(found: RuleCounts): void
  /** Grows with what is added. */
  readonly counts: RuleCounts
}

export function createCounter(): Counter {
  const counts = new Map<string, number>()
  return {
    add(found) {
      for (const [rule, count] of found) counts.set(rule, (counts.get(rule) ?? 0) + count)
    },
    counts,
  }
}

/** Of several parts together, as JSON has it. */
export function summedCounts(parts: readonly RuleCounts[]): Readonly<Record<string, number>> {
  const counter = createCounter()
  for (const part of parts) counter.add(part)
  return Object.fromEntries([...counter.counts].sort(([a], [b]) => (a < b ? -1 : 1)))
}

/** `3 (github-token 2, jwt 1)`; empty where nothing was removed. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts)
  if (parts.length === 0) return ''
  const all = parts.reduce((sum, [, count]) => sum + count, 0)
  return `${all} (${parts.map(([rule, count]) => `${rule} ${count}`).join(', ')})`
}
