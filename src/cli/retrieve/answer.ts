/** What `retrieve` prints: the engine's answer with the path of a copy in place of each file's content. */
import type { Retrieved, RetrievedFile, RetrievedResource, RetrievedSegment, Scores } from '../../memory/backend.ts'
import { reason } from '../../util/errors.ts'
import { copyPath, writeCopy } from './copies.ts'

export interface Answer {
  readonly segments: readonly (RetrievedSegment & { readonly source_file: string })[]
  /** `path` is null where the copy could not be written; `notice` then says why. */
  readonly files: readonly (Omit<RetrievedFile, 'content'> & { readonly path: string | null })[]
  readonly resources: readonly (RetrievedResource & { readonly path: string })[]
  readonly notice?: string
}

/** Copies the files of an answer under `view` and gives what is printed. Never fails: a search must not depend on a disk being writable. */
export function toAnswer(retrieved: Retrieved, view: string): Answer {
  let failure: string | undefined
  const files = retrieved.files.map((file) => {
    const { content: _, ...shown } = rounded(file)
    const path = copyPath(view, file)
    try {
      writeCopy(path, file)
      return { ...shown, path }
    } catch (error) {
      failure ??= `Files could not be copied to ${view}: ${reason(error)}.`
      return { ...shown, path: null }
    }
  })
  const notice = [retrieved.notice, failure].filter((text) => text !== undefined).join(' ')
  return {
    segments: retrieved.segments.map((segment) => ({ ...rounded(segment), source_file: `${segment.track}/${segment.name}` })),
    files,
    resources: retrieved.resources.map((resource) => ({ ...rounded(resource), path: resource.url })),
    ...(notice === '' ? {} : { notice }),
  }
}

/** Four digits say all there is; the full ones would only fill the agent's context. */
function rounded<Item extends Scores>(item: Item): Item {
  const round = (value: number): number => Math.round(value * 1e4) / 1e4
  return { ...item, score: round(item.score), similarity: round(item.similarity), text_score: round(item.text_score) }
}
