/** What the last run of `bridge` came to: one record for `doctor`, one line a run in the log. */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import { makeDirectory, readTextIfExists, writeFileAtomic } from '../util/fs.ts'
import type { Layout } from './layout.ts'

export interface LastRun {
  /** ISO time of the end of the last run, and how it ended. */
  readonly at: string
  readonly outcome: 'done' | 'nothing' | 'failed' | 'interrupted'
  readonly executor: string
  /** One line; only of a run that failed. */
  readonly reason?: string
  /** ISO time of the last run that ended as `done` or `nothing`. */
  readonly lastSuccess?: string
}

/** The log keeps its newest half when it grows beyond this. Bytes. */
const LOG_LIMIT = 1024 * 1024

/** `.last_run.<host>.json` in the host's tree; undefined where there was none, or the file is damaged. */
export function readLastRun(tree: Layout): LastRun | undefined {
  try {
    const value = JSON.parse(readTextIfExists(path(tree)) ?? 'null') as Partial<LastRun> | null
    return typeof value?.at === 'string' && typeof value.outcome === 'string' ? (value as LastRun) : undefined
  } catch {
    return undefined // For people only: the next run writes it anew.
  }
}

export function saveLastRun(tree: Layout, run: Omit<LastRun, 'lastSuccess'>): void {
  const succeeded = run.outcome === 'done' || run.outcome === 'nothing'
  const lastSuccess = succeeded ? run.at : readLastRun(tree)?.lastSuccess
  writeFileAtomic(path(tree), `${JSON.stringify({ ...run, ...(lastSuccess === undefined ? {} : { lastSuccess }) })}\n`, { durable: false })
}

/** Adds a line, with its time. The text may be anybody's: line breaks and control characters become spaces. */
export function logLine(tree: Layout, now: Date, text: string): void {
  makeDirectory(dirname(tree.log))
  if ((fs.statSync(tree.log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) halve(tree.log)
  fs.appendFileSync(tree.log, `${now.toISOString()} ${text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()}\n`, { mode: 0o600 })
}

function halve(log: string): void {
  const text = fs.readFileSync(log, 'utf8')
  writeFileAtomic(log, text.slice(text.indexOf('\n', text.length / 2) + 1), { durable: false })
}

function path(tree: Layout): string {
  return join(tree.base, `.last_run.${tree.host}.json`)
}
