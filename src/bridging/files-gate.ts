/**
 * The one gate where memory files leave the machine's mirror for the store: secrets that an agent wrote into them are taken out here.
 * The mirror file is then written anew from what the store accepted, so that the secret lies in neither.
 */
import type { RecallFile, RecallFileInput, ResourceInput } from '../records.ts'
import { createCounter, type RuleCounts } from './rule-counts.ts'
import type { Redact } from './slice-gate.ts'

export interface FilesGate {
  /** The file as it may be stored; undefined where it must not be stored at all: it then stays in the mirror, reported. */
  file(file: RecallFileInput): GatedFile | undefined
  /** Undefined where the path itself holds a secret. */
  resource(resource: ResourceInput): GatedResource | undefined
  /** Any other text of a memory file: what its front matter says beyond what is stored, a line in a notice. */
  text(text: string): string
}

/**
 * What the store holds from times before these rules, without its secrets, as a mirror shows it to an agent and a commit compares it. The
 * store itself loses them when the file changes.
 */
export async function* withoutSecrets(files: AsyncIterable<RecallFile>, { text }: FilesGate): AsyncGenerator<RecallFile> {
  for await (const file of files) yield { ...file, description: text(file.description), content: text(file.content) }
}

export interface GatedFile {
  readonly input: RecallFileInput
  /** Secrets removed, by rule. */
  readonly removed: RuleCounts
}

export interface GatedResource {
  readonly input: ResourceInput
  /** Secrets removed from its caption, by rule. */
  readonly removed: RuleCounts
}

/** Without `redact` everything passes as it is. */
export function filesGate(redact?: Redact): FilesGate {
  if (redact === undefined) {
    const removed: RuleCounts = new Map()
    return { file: (input) => ({ input, removed }), resource: (input) => ({ input, removed }), text: (text) => text }
  }
  const text = (text: string): string => redact(text).text
  const isSecret = (text: string): boolean => redact(text).found.size > 0
  return {
    file(file) {
      // Its name is its identity: another one in its place would be another file.
      if (isSecret(file.name)) return undefined
      const [content, description] = [redact(file.content), redact(file.description ?? '')]
      const removed = createCounter()
      for (const { found } of [content, description]) removed.add(found)
      const input = { ...file, content: content.text, ...(file.description === undefined ? {} : { description: description.text }) }
      return { input, removed: removed.counts }
    },
    resource(resource) {
      if (isSecret(resource.url)) return undefined
      const caption = redact(resource.caption)
      return { input: { ...resource, caption: caption.text }, removed: caption.found }
    },
    text,
  }
}
