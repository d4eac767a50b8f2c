/**
 * What `retrieve` prints: the engine's answer with a path in place of each file's content. The content is mirrored under
 * `~/.memu/view/<track>/<name>.md`, apart from every working mirror, so that a search never overwrites what is being edited.
 */
import { join } from 'node:path'
import { fileNameFor } from '../bridging/file-names.ts'
import type { Retrieved, RetrievedFile, RetrievedResource, RetrievedSegment, Scores } from '../memory/backend.ts'
import { reason } from '../util/errors.ts'
import { readTextIfExists, writeFileAtomic } from '../util/fs.ts'

export interface Answer {
  readonly segments: readonly (RetrievedSegment & { readonly source_file: string })[]
  /** `path` is null where the mirror could not be written; `notice` then says why. */
  readonly files: readonly (Omit<RetrievedFile, 'content'> & { readonly path: string | null })[]
  readonly resources: readonly (RetrievedResource & { readonly path: string })[]
  readonly notice?: string
}

/** Mirrors the files of an answer under `view` and gives the printable answer. Never fails: a search must not depend on a disk being writable. */
export function toAnswer(retrieved: Retrieved, view: string): Answer {
  const notices = retrieved.notice === undefined ? [] : [retrieved.notice]
  const files = retrieved.files.map(({ content, ...file }) => {
    const path = join(view, directoryFor(file.track), fileNameFor(viewName(file)))
    try {
      mirror(path, renderView(file, content))
      return { ...rounded(file), path }
    } catch (error) {
      if (notices.length < 2) notices.push(`Files could not be mirrored under ${view}: ${reason(error)}.`)
      return { ...rounded(file), path: null }
    }
  })
  return {
    segments: retrieved.segments.map((segment) => ({ ...rounded(segment), source_file: `${segment.track}/${segment.name}` })),
    files,
    resources: retrieved.resources.map((resource) => ({ ...rounded(resource), path: resource.url })),
    ...(notices.length === 0 ? {} : { notice: notices.join(' ') }),
  }
}

/** Unchanged files are left alone: most prompts find what the last one found. */
function mirror(path: string, text: string): void {
  if (readTextIfExists(path) !== text) writeFileAtomic(path, text, { durable: false })
}

/** The front matter of every mirror; JSON strings are YAML strings. */
function renderView(file: { readonly name: string; readonly description: string }, content: string): string {
  return `---\nname: ${JSON.stringify(file.name)}\ndescription: ${JSON.stringify(file.description)}\n---\n\n${content.trimEnd()}\n`
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
