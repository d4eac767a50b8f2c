/** What the answers for one job make of the mirror, kept back until the last of them has come. */
import { MemuError } from '../../../util/errors.ts'
import type { Layout } from '../../layout.ts'
import { mirrorPath } from '../../mirror-files.ts'
import { mirrorText, writeMirror } from '../mirror-text.ts'
import type { Writes } from './answer.ts'
import type { ReadableFile } from './material.ts'

export interface Draft {
  /** Path → text so far. */
  readonly texts: Writes
  /** `shown` are the files that the model made `writes` from. */
  add(writes: Writes, shown: readonly ReadableFile[]): void
  /**
   * All files or none: answers take minutes, in which the user may have edited one. Errors: `memory_changed` where a file is not what the
   * model was shown, `unreadable_memory` where it is one that commit refuses.
   */
  write(): void
}

export function createDraft(tree: Layout): Draft {
  const texts = new Map<string, string>()
  /** What lay on disk when the model was first shown the file; undefined where nothing did. */
  const basis = new Map<string, string | undefined>()
  return {
    texts,
    add(writes, shown) {
      for (const [path, text] of writes) {
        if (!basis.has(path)) basis.set(path, shown.find((file) => file.path === path)?.text)
        texts.set(path, text)
      }
    },
    write() {
      for (const [path, text] of basis) {
        if (mirrorText(tree, path) === text) continue
        throw new MemuError('memory_changed', `${mirrorPath(tree, path)} was changed while the model worked on it`, {
          hint: 'Nothing is lost: the next run tries again.',
        })
      }
      writeMirror(
        tree,
        [...texts].map(([path, text]) => ({ path, text })),
      )
    },
  }
}
