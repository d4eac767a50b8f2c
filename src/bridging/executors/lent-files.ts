/**
 * The resource log and list of the tree, lent to a program whose sandbox opens folders only: for the time of its run they lie in a
 * folder of their own, and its copies of the jobs name them there.
 */
import * as fs from 'node:fs'
import { basename, join } from 'node:path'
import { makeDirectory, writeFileAtomic } from '../../util/fs.ts'
import type { System } from '../../util/system.ts'
import type { Job } from '../executor.ts'
import type { Layout } from '../layout.ts'

export interface LentFiles {
  /** The folder to open. */
  readonly folder: string
  /** Where the copies of the jobs lie. */
  readonly jobs: string
  /** Puts the files back. What the program made of them counts only as plain files: a link would lead us astray. */
  takeBack(): void
}

export function lendFiles(tree: Layout, jobs: readonly Job[]): LentFiles {
  const folder = lentFolder(tree)
  const lent = lentTree(tree)
  const files = [
    { own: tree.resourceLog, away: lent.resourceLog },
    { own: tree.resources, away: lent.resources },
  ]
  const takeBack = (): void => {
    for (const { own, away } of files) if (isPlainFile(away)) fs.renameSync(away, own)
    fs.rmSync(folder, { recursive: true, force: true })
  }
  takeBack() // A run that was killed left them there.
  makeDirectory(lent.jobs)
  for (const { own, away } of files) if (isPlainFile(own)) fs.renameSync(own, away)
  for (const { path } of jobs) {
    const text = files.reduce((text, { own, away }) => text.replaceAll(own, away), fs.readFileSync(path, 'utf8'))
    writeFileAtomic(join(lent.jobs, basename(path)), text, { durable: false })
  }
  return { folder, jobs: lent.jobs, takeBack }
}

/** The tree as a program of ours sees it that such a run has called. */
export function treeInRun(tree: Layout, { env }: Pick<System, 'env'>): Layout {
  return env.MEMU_BRIDGING_RUN && fs.existsSync(lentFolder(tree)) ? lentTree(tree) : tree
}

function lentTree(tree: Layout): Layout {
  const inFolder = (path: string): string => join(lentFolder(tree), basename(path))
  return { ...tree, jobs: inFolder(tree.jobs), resourceLog: inFolder(tree.resourceLog), resources: inFolder(tree.resources) }
}

function lentFolder(tree: Layout): string {
  return join(tree.base, '.lent')
}

function isPlainFile(path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() ?? false
}
