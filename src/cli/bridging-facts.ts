/** What `doctor` wants to know of a host's runs, read from the host's working tree. */
import { statSync } from 'node:fs'
import { currentRun } from '../bridging/bridging-run.ts'
import { readLastRun } from '../bridging/last-run.ts'
import { type Layout, layout } from '../bridging/layout.ts'
import type { BridgingFacts } from '../doctor/check.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import { readTextIfExists } from '../util/fs.ts'
import { lockHolder } from '../util/lock.ts'
import type { System } from '../util/system.ts'

export function bridgingFacts(spec: HostSpec, system: System): BridgingFacts {
  const tree = layout(spec.host, spec.baseDir(system))
  const holder = lockHolder(tree.lock, () => system.now())
  const open = currentRun(tree)
  const last = readLastRun(tree)
  // Runs in steps leave no record of their own; but cursors move when the store has accepted what was learned, and at no other time.
  const committed = statSync(tree.sessionManifest, { throwIfNoEntry: false })?.mtime.toISOString()
  const lastSuccess = [committed, last?.lastSuccess]
    .filter((time) => time !== undefined)
    .sort()
    .at(-1)
  // A run that failed may have noted what it looked at, within the same millisecond.
  const failed = last?.outcome === 'failed' && last.at >= (lastSuccess ?? '')
  return {
    ...(lastSuccess === undefined ? {} : { lastSuccess }),
    ...(lastSuccess !== undefined && !wasLearnedFrom(tree) ? { isEmpty: true as const } : {}),
    ...(failed ? { lastFailure: { at: last.at, reason: last.reason ?? 'no reason was noted' } } : {}),
    ...(open === undefined ? {} : { open: { since: open.started } }),
    ...(holder === undefined ? {} : { running: `${holder.purpose}, process ${holder.pid}` }),
  }
}

/** Whether the manifest knows a session with something in it. One that cannot be read says nothing against it; the next run tells of that. */
function wasLearnedFrom({ sessionManifest }: Layout): boolean {
  try {
    const manifest = JSON.parse(readTextIfExists(sessionManifest) ?? '{}') as { readonly version?: number; readonly sessions?: object }
    if (manifest.version === undefined) return Object.keys(manifest).length > 0 // The Python memU's.
    return Object.values(manifest.sessions ?? {}).some((entry: { readonly silent?: boolean } | null) => entry?.silent !== true)
  } catch {
    return true
  }
}
