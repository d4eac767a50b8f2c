/** The commit: plan over what is stored, embed what is new, write in one transaction; planned again where the store moved on. */
import type { Embedder } from '../embedding/embedder.ts'
import type { FileKey } from '../records.ts'
import type { Change, FileChange, ResourceChange, Store } from '../store/store.ts'
import { MemuError } from '../util/errors.ts'
import type { CommitReceipt, SeenFile } from './backend.ts'
import type { Settled, SettledFile } from './payload.ts'
import { segmentsOf } from './segments.ts'

/** Another process may have changed a planned file in between this often before the commit gives up. */
const MOST_PLANS = 8

/** The track of every resource that a commit brings. */
const RESOURCE_TRACK = 'workspace'

type Wanted = Omit<Change, 'files' | 'resources'> & {
  readonly files: readonly (Omit<FileChange, 'segments'> & { readonly segments: readonly { text: string; embed: boolean }[] })[]
  readonly resources: readonly (Omit<ResourceChange, 'vector'> & { readonly embed: boolean })[]
}

export interface CommitTools {
  readonly store: Store
  readonly embedder: Embedder
  readonly now: () => Date
}

/** The store's space is the embedder's, or the store has none yet. */
export async function commit(settled: Settled, tools: CommitTools, restored: FileKey | undefined = undefined): Promise<CommitReceipt> {
  // Vectors made for a plan that did not come through serve the next one.
  const vectors = new Map<string, Float32Array>()
  for (let attempt = 1; attempt <= MOST_PLANS; attempt++) {
    const { wanted, receipt } = await plan(settled, tools, restored)
    await embedMissing(wanted, tools.embedder, vectors)
    const change = withVectors(wanted, vectors)
    if (change.files.length + change.resources.length + change.forget.length === 0) return receipt
    if ((await tools.store.apply(change)) === 'applied') return receipt
  }
  throw new MemuError(
    'store_busy',
    `The store ${tools.store.location} changed under the commit ${MOST_PLANS} times; nothing was written.`,
    {
      hint: 'Try again in a moment.',
    },
  )
}

async function plan(
  settled: Settled,
  { store, embedder, now }: CommitTools,
  restored?: FileKey,
): Promise<{ wanted: Wanted; receipt: CommitReceipt }> {
  const { scope, seen = [] } = settled
  const stored = new Map((await store.findFiles(scope, [...settled.files, ...settled.forget, ...seen])).map((file) => [name(file), file]))
  for (const file of seen) if (!isAsSeen(stored.get(name(file)), file)) throw changed(file)
  const captions = new Map(
    (
      await store.findResources(
        scope,
        settled.resources.map(({ url }) => url),
      )
    ).map((resource) => [resource.url, resource]),
  )

  const files: Wanted['files'][number][] = []
  const fileReceipts: CommitReceipt['recall_files'][number][] = []
  for (const file of settled.files) {
    const old = stored.get(name(file))
    const texts = segmentsOf(file, embedder.maxCharacters)
    const kept = new Set(old?.segments.filter(({ hasVector }) => hasVector).map(({ text }) => text))
    const same = old !== undefined && old.description === file.description && old.content === file.content
    const id = old?.id ?? crypto.randomUUID()
    const change = old === undefined ? 'created' : same ? 'unchanged' : 'updated'
    fileReceipts.push({ id, track: file.track, name: file.name, change })
    // Same content: written only where vectors are missing, or a newer program cuts segments differently.
    if (same && texts.length === old.segments.length && texts.every((text) => kept.has(text))) continue
    files.push({
      ...described(file),
      id,
      expected: old?.revision ?? 0,
      change: change === 'unchanged' ? 'healed' : restored !== undefined && name(restored) === name(file) ? 'restored' : change,
      segments: texts.map((text) => ({ text, embed: !kept.has(text) })),
    })
  }

  const resources: Wanted['resources'][number][] = []
  const resourceReceipts: CommitReceipt['resources'][number][] = []
  for (const { url, caption } of settled.resources) {
    const old = captions.get(url)
    const id = old?.id ?? crypto.randomUUID()
    const same = old?.caption === caption
    resourceReceipts.push({ id, url, change: old === undefined ? 'created' : same ? 'unchanged' : 'updated' })
    if (same && old?.hasVector === true) continue
    resources.push({ id, url, caption, track: RESOURCE_TRACK, expected: old?.revision ?? 0, embed: true })
  }

  const forget = settled.forget.flatMap((key) => {
    const old = stored.get(name(key))
    return old === undefined ? [] : [{ key, expected: old.revision }]
  })
  return {
    wanted: { scope, space: embedder.space, now: now().toISOString(), files, resources, forget },
    receipt: { recall_files: fileReceipts, resources: resourceReceipts, forgotten: forget.map(({ key }) => key) },
  }
}

/** All texts of the payload in one go, each once. */
async function embedMissing(wanted: Wanted, embedder: Embedder, vectors: Map<string, Float32Array>): Promise<void> {
  const texts = new Set<string>()
  for (const { segments } of wanted.files) for (const { text, embed } of segments) if (embed) texts.add(text)
  for (const { caption, embed } of wanted.resources) if (embed) texts.add(caption)
  const missing = [...texts].filter((text) => !vectors.has(text))
  if (missing.length === 0) return
  for (const [index, vector] of (await embedAll(embedder, missing)).entries()) vectors.set(missing[index]!, vector)
}

/** Embeds, and holds the embedder to its contract: what it breaks would spoil the store. */
export async function embedAll(embedder: Embedder, texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
  const vectors = await embedder.embed(texts, signal)
  const { provider, model, dimensions } = embedder.space
  if (vectors.length !== texts.length || vectors.some((vector) => vector.length !== dimensions)) {
    throw new MemuError(
      'embedding_failed',
      `The embedder ${provider}/${model} did not give one vector of ${dimensions} numbers a text; nothing was written.`,
    )
  }
  return vectors
}

function withVectors(wanted: Wanted, vectors: ReadonlyMap<string, Float32Array>): Change {
  const vectorOf = (text: string, embed: boolean) => (embed ? { vector: vectors.get(text)! } : {})
  return {
    ...wanted,
    files: wanted.files.map((file) => ({
      ...file,
      segments: file.segments.map(({ text, embed }) => ({ text, ...vectorOf(text, embed) })),
    })),
    resources: wanted.resources.map(({ embed, ...resource }) => ({ ...resource, ...vectorOf(resource.caption, embed) })),
  }
}

function described({ track, name, description, content, provenance }: SettledFile): SettledFile {
  return { track, name, description, content, ...(provenance === undefined ? {} : { provenance }) }
}

function isAsSeen(file: SettledFile | undefined, { version }: SeenFile): boolean {
  return file?.content === version?.content && file?.description === version?.description
}

function changed({ track, name }: FileKey): MemuError {
  return new MemuError('changed_meanwhile', `${track}/${name} was changed by somebody else in the meantime; nothing was written.`, {
    hint: 'Read it again, and commit over what it says now.',
  })
}

/** `(track, name)` as one string. */
function name({ track, name }: FileKey): string {
  return JSON.stringify([track, name])
}
