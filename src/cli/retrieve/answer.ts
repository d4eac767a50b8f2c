/**
 * What `retrieve` prints: the engine's answer with a path in place of each file's content. The content is mirrored under
 * `~/.memu/view/<track>/<name>.md`, apart from every working mirror, so that a search never overwrites what is being edited.
 */
import { join } from 'node:path'
import { fileNameFor } from '../../markdown/file-names.ts'
import { formatMemoryText } from '../../markdown/front-matter.ts'
import type { Retrieved, RetrievedFile, RetrievedResource, RetrievedSegment, Scores } from '../../memory/backend.ts'
import { reason } from '../../util/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../../util/fs.ts'

export interface Answer {
  readonly segments: readonly (RetrievedSegment & { readonly source_file: string })[]
  /** `path` is null where the mirror could not be written; `notice` then says why. */
  readonly files: readonly (Omit<RetrievedFile, 'content'> & { readonly path: string | null })[]
  readonly resources: readonly (RetrievedResource & { readonly path: string })[]
  readonly notice?: string
}

/** Mirrors the files of an answer under `view` and gives the printable answer. Never fails: a search must not depend on a disk being writable. */
export function toAnswer(retrieved: Retrieved, view: string): Answer {
  let failure: string | undefined
  const files = retrieved.files.map(({ content, ...file }) => {
    const path = join(view, directoryFor(file.track), fileNameFor(viewName(file)))
    try {
      mirror(path, formatMemoryText({ name: file.name, description: file.description, content }))
      return { ...rounded(file), path }
    } catch (error) {
      failure ??= `Files could not be mirrored under ${view}: ${reason(error)}.`
      return { ...rounded(file), path: null }
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

/** Unchanged files are left alone: most prompts find what the last one found. */
function mirror(path: string, text: string): void {
  if (readTextIfExists(path) !== text) writeFileAtomic(path, text, { durable: false })
}

/** Files of two users or agents may share their name. */
function viewName(file: { readonly name: string; readonly user_id: string; readonly agent_id: string }): string {
  return file.user_id === '' && file.agent_id === '' ? file.name : `${file.name} (${file.user_id} ${file.agent_id})`
}

function directoryFor(track: string): string {
  return fileNameFor(track).slice(0, -'.md'.length)
}

/** Four digits say all there is; the full ones would only fill the agent's context. */
function rounded<Item extends Scores>(item: Item): Item {
  const round = (value: number): number => Math.round(value * 1e4) / 1e4
  return { ...item, score: round(item.score), similarity: round(item.similarity), text_score: round(item.text_score) }
}
