/**
 * The store in memory: for tests and for `:memory:`, and the reference of what a store does. Everything is plain and brute
 * force; a SQL store has to answer the same. Nothing here waits, so that every call is one transaction.
 */
import { type EmbeddingSpace, type FileKey, type RecallFile, type Resource, type Scope, sameSpace, type Where } from '../records.ts'
import { idf, weight } from '../text/bm25.ts'
import { indexTerms } from '../text/terms.ts'
import type { Change, Corpus, FileChange, FileVersion, Kind, Store, StoredFile, StoredResource, StoreState, TextScores } from './store.ts'
import { dot } from './vectors/vector-rows.ts'

interface Segment {
  readonly key: number
  readonly text: string
  vector: Float32Array | undefined
}

interface Owner<R> {
  record: R
  revision: number
  segments: Segment[]
}

interface Version extends FileVersion, Scope {}

/** `location` names what stands behind it in messages. */
export function memoryStore(location = ':memory:'): Store {
  const files = new Map<string, Owner<RecallFile>>()
  const resources = new Map<string, Owner<Resource>>()
  const versions: Version[] = []
  let state: StoreState = { id: crypto.randomUUID(), schema: 0, pending: false }
  let nextKey = 1

  const ownersOf = (kind: Kind): Owner<RecallFile | Resource>[] => [...(kind === 'file' ? files : resources).values()]
  const segments = () => [...ownersOf('file'), ...ownersOf('resource')].flatMap((owner) => owner.segments)
  const missing = () => segments().filter(({ vector }) => vector === undefined)

  function merge(wanted: FileChange['segments'], old: readonly Segment[]): Segment[] {
    const byText = new Map(old.map((segment) => [segment.text, segment]))
    return wanted.map(({ text, vector }) => {
      const kept = byText.get(text)
      return { key: kept?.key ?? nextKey++, text, vector: vector ?? kept?.vector }
    })
  }

  const versionsOf = (scope: Scope, key: FileKey) => versions.filter((one) => fileName(one, one) === fileName(scope, key))

  function addVersion(scope: Scope, added: Omit<FileVersion, 'version'>): void {
    const { track, name, description, content, change, at, provenance } = added
    const version = versionsOf(scope, added).length + 1
    versions.unshift({ ...scope, version, track, name, description, content, change, at, ...(provenance && { provenance }) })
  }

  function conflicts(change: Change): boolean {
    const lacks = (wanted: FileChange['segments'], old: readonly Segment[]) =>
      wanted.some(({ text, vector }) => vector === undefined && old.find((segment) => segment.text === text)?.vector === undefined)
    return (
      (state.space !== undefined && !sameSpace(state.space, change.space)) ||
      change.files.some((file) => {
        const old = files.get(fileName(change.scope, file))
        return (old?.revision ?? 0) !== file.expected || lacks(file.segments, old?.segments ?? [])
      }) ||
      change.forget.some(({ key, expected }) => (files.get(fileName(change.scope, key))?.revision ?? 0) !== expected) ||
      change.resources.some(({ url, caption, vector, expected }) => {
        const old = resources.get(resourceName(change.scope, url))
        return (old?.revision ?? 0) !== expected || lacks([{ text: caption, ...(vector && { vector }) }], old?.segments ?? [])
      })
    )
  }

  function applyNow(change: Change): 'applied' | 'conflict' {
    if (conflicts(change)) return 'conflict'
    const { scope, now } = change
    state = { ...state, space: change.space }
    for (const { key } of change.forget) {
      const old = files.get(fileName(scope, key))
      if (old === undefined) continue
      files.delete(fileName(scope, key))
      const { description, content } = old.record
      addVersion(scope, { ...key, description, content, change: 'forgotten', at: now })
    }
    for (const file of change.files) {
      const { id, track, name, description, content, provenance, change: kind } = file
      const old = files.get(fileName(scope, file))
      const merged = merge(file.segments, old?.segments ?? [])
      if (old !== undefined && kind === 'healed') {
        old.segments = merged
        continue
      }
      if (kind !== 'healed') addVersion(scope, { ...file, change: kind, at: now })
      const created_at = old?.record.created_at ?? now
      const record = {
        id: old?.record.id ?? id,
        ...scope,
        track,
        name,
        description,
        content,
        created_at,
        updated_at: now,
        ...(provenance && { provenance }),
      }
      files.set(fileName(scope, file), { record, revision: (old?.revision ?? 0) + 1, segments: merged })
    }
    for (const { id, url, caption, track, vector } of change.resources) {
      const old = resources.get(resourceName(scope, url))
      const record = { id: old?.record.id ?? id, ...scope, url, caption, track, created_at: old?.record.created_at ?? now, updated_at: now }
      const merged = merge([{ text: caption, ...(vector && { vector }) }], old?.segments ?? [])
      resources.set(resourceName(scope, url), { record, revision: (old?.revision ?? 0) + 1, segments: merged })
    }
    return 'applied'
  }

  return {
    kind: 'memory',
    location,
    state: async () => state,
    async list(where, after, limit) {
      const found = [...files.values()].map(({ record }) => record).filter((record) => matches(record, where))
      found.sort(compareKeys)
      return found.filter((record) => after === null || compareKeys(record, after) > 0).slice(0, limit)
    },
    async forgotten(where) {
      // The newest version comes first.
      const newest = new Map<string, Version>()
      for (const version of versions) if (!newest.has(fileName(version, version))) newest.set(fileName(version, version), version)
      const gone = [...newest.values()].filter((version) => version.change === 'forgotten' && matches(version, where))
      return gone.map(({ track, name }) => ({ track, name }))
    },
    async findFiles(scope, keys) {
      return keys.flatMap((key): StoredFile[] => {
        const owner = files.get(fileName(scope, key))
        if (owner === undefined) return []
        const found = owner.segments.map(({ text, vector }) => ({ text, hasVector: vector !== undefined }))
        return [{ ...owner.record, revision: owner.revision, segments: found }]
      })
    },
    async findResources(scope, urls) {
      return urls.flatMap((url): StoredResource[] => {
        const owner = resources.get(resourceName(scope, url))
        if (owner === undefined) return []
        return [{ ...owner.record, revision: owner.revision, hasVector: owner.segments.every(({ vector }) => vector !== undefined) }]
      })
    },
    apply: async (change) => applyNow(change),
    read: (use) => use({ state, corpus: async (kind, where, track) => corpusOf(ownersOf(kind), where, track) }),
    async history(scope, key) {
      return versionsOf(scope, key).map(({ user_id: _user, agent_id: _agent, ...version }) => version)
    },
    async startReindex(space: EmbeddingSpace) {
      if (state.space !== undefined && sameSpace(state.space, space)) return
      for (const segment of segments()) segment.vector = undefined
      state = { ...state, space, pending: true }
    },
    async withoutVector(after, limit) {
      return missing()
        .filter(({ key }) => key > after)
        .sort((a, b) => a.key - b.key)
        .slice(0, limit)
        .map(({ key, text }) => ({ key, text }))
    },
    async putVectors(space, vectors) {
      if (state.space === undefined || !sameSpace(state.space, space)) return 'conflict'
      const byKey = new Map(segments().map((segment) => [segment.key, segment]))
      for (const { key, text, vector } of vectors) {
        const segment = byKey.get(key)
        if (segment?.text === text) segment.vector = vector
      }
      return 'applied'
    },
    async finishReindex() {
      if (missing().length === 0) state = { ...state, pending: false }
    },
    async inspect(options) {
      return {
        kind: 'memory',
        location,
        ...state,
        files: files.size,
        segments: segments().length - resources.size,
        resources: resources.size,
        withoutVector: missing().length,
        ...(options?.integrity === true ? { problems: [] } : {}),
      }
    },
    close: async () => {},
  }
}

function corpusOf(all: readonly Owner<RecallFile | Resource>[], where: Where, track: string | undefined): Corpus {
  const owners = all.filter(({ record }) => matches(record, where) && (track === undefined || record.track === track))
  const documents = owners.flatMap(({ segments }, index) => segments.map((segment, ordinal) => ({ ...segment, ordinal, owner: index + 1 })))
  const record = <R>(owner: number) => owners[owner - 1]!.record as R
  return {
    size: documents.length,
    owners: owners.length,
    live: documents.length,
    owner: Uint32Array.from(documents, ({ owner }) => owner),
    ordinal: Uint32Array.from(documents, ({ ordinal }) => ordinal),
    async text(terms): Promise<TextScores> {
      const segmentTerms = documents.map(({ text }) => indexTerms(text))
      const ownerTerms = owners.map((_, index) => segmentTerms.filter((__, at) => documents[at]!.owner === index + 1).flat())
      return {
        documents: Float32Array.from(scores(segmentTerms, terms, documents.length)),
        owners: Float32Array.from([0, ...scores(ownerTerms, terms, ownerTerms.filter((own) => own.length > 0).length)]),
        frequency: new Map(terms.map((term) => [term, segmentTerms.filter((own) => own.includes(term)).length])),
      }
    },
    async vector(query) {
      return { documents: Float32Array.from(documents, ({ vector }) => (vector === undefined ? 0 : dot(vector, query))), coarse: false }
    },
    async similarity(numbers, query) {
      return Float32Array.from(numbers, (number) => {
        const { vector } = documents[number]!
        return vector === undefined ? 0 : dot(vector, query)
      })
    },
    texts: async (numbers) => numbers.map((number) => documents[number]!.text),
    files: async (numbers) => numbers.map((number) => record<RecallFile>(number)),
    resources: async (numbers) => numbers.map((number) => record<Resource>(number)),
  }
}

/** BM25 of each document, of which `count` count. */
function scores(documents: readonly (readonly string[])[], terms: readonly string[], count: number): number[] {
  const total = documents.reduce((sum, own) => sum + own.length, 0)
  const average = total / Math.max(1, count)
  const shares = terms.map((term) => idf(count, documents.filter((own) => own.includes(term)).length))
  return documents.map((own) =>
    terms.reduce((sum, term, index) => {
      const tf = own.filter((one) => one === term).length
      return tf === 0 ? sum : sum + shares[index]! * weight(tf, own.length, average)
    }, 0),
  )
}

function matches(scope: Scope, where: Where): boolean {
  return (where.user_id ?? scope.user_id) === scope.user_id && (where.agent_id ?? scope.agent_id) === scope.agent_id
}

function fileName({ user_id, agent_id }: Scope, { track, name }: FileKey): string {
  return JSON.stringify([user_id, agent_id, track, name])
}

function resourceName({ user_id, agent_id }: Scope, url: string): string {
  return JSON.stringify([user_id, agent_id, url])
}

/** `(track, name, id)` by their bytes in UTF-8: JavaScript's own order differs above U+FFFF. */
function compareKeys(a: FileKey & { readonly id: string }, b: FileKey & { readonly id: string }): number {
  const bytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right))
  return bytes(a.track, b.track) || bytes(a.name, b.name) || bytes(a.id, b.id)
}
