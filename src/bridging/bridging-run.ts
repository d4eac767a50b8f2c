/** The marker of a run between `prepare` and the `commit` that closes it: since when, and by which session of the host. */
import * as fs from 'node:fs'
import { readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'

export interface BridgingRun {
  readonly run: string
  /** ISO time. */
  readonly started: string
  /** The host's session that works on the run, where it is known. */
  readonly session?: string
}

export function openRun(tree: Layout, run: BridgingRun): void {
  writeFileAtomic(tree.bridgingRun, `${JSON.stringify(run)}\n`)
}

/** The run that no commit has closed, or undefined. */
export function currentRun(tree: Layout): BridgingRun | undefined {
  try {
    const value = JSON.parse(readTextIfExists(tree.bridgingRun) ?? 'null') as Partial<BridgingRun> | null
    return typeof value?.run === 'string' && typeof value.started === 'string' ? (value as BridgingRun) : undefined
  } catch {
    return undefined // The marker is for people and for the claim of a session; without it a run goes on as if it were new.
  }
}

export function closeRun(tree: Layout): void {
  fs.rmSync(tree.bridgingRun, { force: true })
}
