/** What `doctor` wants to know of a host's runs, read from the host's working tree. */
import { statSync } from 'node:fs'
import { currentRun } from '../bridging/bridging-run.ts'
import { readLastRun } from '../bridging/last-run.ts'
import { layout } from '../bridging/layout.ts'
import type { BridgingFacts } from '../doctor/check.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
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
  const failed = last?.outcome === 'failed' && last.at > (lastSuccess ?? '')
  return {
    ...(lastSuccess === undefined ? {} : { lastSuccess }),
    ...(failed ? { lastFailure: { at: last.at, reason: last.reason ?? 'no reason was noted' } } : {}),
    ...(open === undefined ? {} : { open: { since: open.started } }),
    ...(holder === undefined ? {} : { running: `${holder.purpose}, process ${holder.pid}` }),
  }
}
