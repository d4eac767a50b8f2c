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
    if (!isFile(path(tree))) return undefined
    const value = JSON.parse(readTextIfExists(path(tree)) ?? 'null') as Partial<LastRun> | null
    return typeof value?.at === 'string' && typeof value.outcome === 'string' ? (value as LastRun) : undefined
  } catch {
    return undefined // For people only: the next run writes it anew.
  }
}

export function saveLastRun(tree: Layout, run: Omit<LastRun, 'lastSuccess'>): void {
  const succeeded = run.outcome === 'done' || run.outcome === 'nothing'
  const lastSuccess = succeeded ? run.at : readLastRun(tree)?.lastSuccess
  clearPlace(path(tree))
  writeFileAtomic(path(tree), `${JSON.stringify({ ...run, ...(lastSuccess === undefined ? {} : { lastSuccess }) })}\n`, { durable: false })
}

/** Adds a line, with its time. The text may be anybody's: line breaks and control characters become spaces. */
export function logLine(tree: Layout, now: Date, text: string): void {
  makeDirectory(dirname(tree.log))
  clearPlace(tree.log)
  if ((fs.statSync(tree.log, { throwIfNoEntry: false })?.size ?? 0) > LOG_LIMIT) halve(tree.log)
  append(tree.log, `${now.toISOString()} ${text.replace(/[\u0000-\u001f\u007f-\u009f]+/g, ' ').trim()}\n`)
}

/** Never through a link, also where it was put there this very moment; Windows has no such flag, and lets only administrators make links. */
function append(log: string, line: string): void {
  const { O_WRONLY, O_APPEND, O_CREAT, O_NOFOLLOW = 0 } = fs.constants
  const fd = fs.openSync(log, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW, 0o600)
  try {
    fs.writeFileSync(fd, line)
  } finally {
    fs.closeSync(fd)
  }
}

/** An agent works in the tree while the log is written: a link that it left would take our lines elsewhere, a pipe would stop the run. */
function clearPlace(file: string): void {
  const found = fs.lstatSync(file, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile() && !found.isDirectory()) fs.rmSync(file)
}

function isFile(file: string): boolean {
  return fs.lstatSync(file, { throwIfNoEntry: false })?.isFile() ?? false
}

function halve(log: string): void {
  const text = fs.readFileSync(log, 'utf8')
  writeFileAtomic(log, text.slice(text.indexOf('\n', text.length / 2) + 1), { durable: false })
}

function path(tree: Layout): string {
  return join(tree.base, `.last_run.${tree.host}.json`)
}
