/**
 * Whose folder the tree is. An agent works in it and may have left links there, and `--base-dir` may name any folder of the user's:
 * before a run writes or deletes, it makes sure that the place is its own.
 */

import * as fs from 'node:fs'
import { basename } from 'node:path'
import { MemuError } from '../util/errors.ts'
import { makeDirectory } from '../util/fs.ts'
import { requireHome } from '../util/home.ts'
import { entriesIfExists } from '../util/look.ts'
import { type BridgingDeps, type TreeOptions, treeOf } from './bridging-deps.ts'
import type { Layout } from './layout.ts'

/** The tree of a run that writes. Errors: `link_in_tree`; `not_our_folder`, `no_home` (exit 2). */
export function ownTree(options: TreeOptions, deps: BridgingDeps): Layout {
  const tree = treeOf(options, deps)
  requireHome(deps.system.home, tree.base)
  refuseLinks(tree)
  if (options.baseDir !== undefined) refuseForeignFolder(tree)
  return tree
}

/**
 * Throws `link_in_tree` where a file or folder of the pipeline is a symbolic link: writing through it would change a file
 * elsewhere. The tree itself may be one.
 */
export function refuseLinks(tree: Layout): void {
  const { host, base, tracks, ...own } = tree
  for (const path of [...Object.values(tracks), ...Object.values(own)]) {
    if (!fs.lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) continue
    throw new MemuError('link_in_tree', `${path} is a link; ${host}'s memory files are not read or written through links.`, {
      hint: `Replace it by the file or folder itself. To keep them elsewhere, make ${base} the link.`,
    })
  }
}

/** What only a program of ours leaves in a folder; `bridge` writes lock and log before it has looked. */
const MARKS =
  /^(?:\.memu_tree|\.memory_manifest\.json|\.mined_keys|\.(?:session_manifest|self_sessions|own_jobs|bridging_run)\..+\.json(?:\.pending)?)$/
/** What a person may have put there for us, or what says nothing. */
const NEUTRAL = /^(?:memory|skill|\.DS_Store|\.bridging\..+\.lock.*|bridging\..+\.log|\.last_run\..+\.json)$/

/**
 * For a tree that the user named: throws `not_our_folder` (exit 2) where the folder holds other things and no sign of an earlier
 * run. In it, names such as `sessions/` mean something else, and a run replaces them.
 */
export function refuseForeignFolder(tree: Layout): void {
  const entries = entriesIfExists(tree.base)
  if (entries.some((entry) => MARKS.test(entry))) return
  const foreign = entries.find((entry) => !NEUTRAL.test(entry))
  if (foreign === undefined) return
  throw new MemuError('not_our_folder', `${tree.base} holds other things (${JSON.stringify(foreign)}) and was never used by memU.`, {
    hint: 'Give --base-dir a new or an empty folder.',
    exit: 2,
  })
}

/** Leaves the sign by which later runs know the folder, before anything else is put there. */
export function claimTree(tree: Layout): void {
  makeDirectory(tree.base)
  if (!entriesIfExists(tree.base).includes(basename(tree.marker))) fs.writeFileSync(tree.marker, '', { flag: 'wx', mode: 0o600 })
}
