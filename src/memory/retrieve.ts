/** The retrieval: both lanes over one snapshot of the store, a pool of the best of each, ranked, and only the winners read in full. */
import { type Embedder, type EmbeddingSpace, sameSpace } from '../embedding/embedder.ts'
import type { RecallFile } from '../records.ts'
import type { Corpus, Store, StoreState, TextScores } from '../store/store.ts'
import { idf } from '../text/bm25.ts'
import { queryTerms } from '../text/terms.ts'
import { MemuError, reason } from '../util/errors.ts'
import { phase } from '../util/timing.ts'
import type { Retrieved, RetrievedFile, RetrievedResource, RetrievedSegment, RetrieveOptions } from './backend.ts'
import { fillPool } from './pool.ts'
import { type CandidatePool, isClose, type Lanes, LOCAL_FLOOR, rank } from './ranking.ts'

const DEFAULT_LIMIT = 5
const MOST_LIMIT = 1000
/** A prompt waits for its answer, and an embedding server that hangs must not hold it: the text lane answers then. */
const QUERY_DEADLINE_MS = 2_500

export interface LaneOptions extends RetrieveOptions {
  /** Which lanes answer; `hybrid` unless a benchmark asks for one alone. */
  readonly lanes?: Lanes
}

const NOTHING_CLOSE = 'Nothing close to the query was found.'
const NOTHING_STORED = 'Nothing is remembered yet.'

/** Made at first need, since most embedders need none: a prompt would pay half a millisecond for it. */
export type Deadline = () => AbortSignal

export interface RetrieveTools {
  readonly store: Store
  readonly openEmbedder: (deadline: Deadline) => Promise<Embedder>
  /** Milliseconds for all that an embedding server is asked; default 2,500. */
  readonly deadlineMs?: number | undefined
}

/** See `MemoryBackend.progressiveRetrieve`. The embedder is opened only where the vector lane takes part. */
export async function retrieve(tools: RetrieveTools, query: string, options: LaneOptions = {}): Promise<Retrieved> {
  const limit = checked(query, options.limit ?? DEFAULT_LIMIT)
  const wanted = options.lanes ?? 'hybrid'
  if (!Number.isFinite(options.floor ?? 0)) throw new MemuError('invalid_floor', 'The floor must be a number from -1 to 1.', { exit: 2 })
  const where = options.where ?? {}
  const terms = queryTerms(query)
  const embedding = wanted === 'text' ? undefined : await prepareEmbedding(tools, query)
  phase('embedder')

  return tools.store.read(async ({ state, corpus }) => {
    const files = await corpus('file', where, options.track)
    phase('slots')
    const text = await files.text(terms)
    phase('text lane')
    const { vector, notice } = embedding === undefined ? {} : await embedding(state, frequencyWeights(files, text))
    phase('embed')
    const lanes = vector === undefined ? 'text' : wanted
    const floor = options.floor ?? (wanted === 'hybrid' && state.space?.provider === 'local' ? LOCAL_FLOOR : -1)
    const pool = closePool(await fillPool(files, lanes === 'vector' ? undefined : text, vector, limit), floor)
    phase('vector lane')
    const ranked = rank(pool, limit, lanes)
    phase('rank')
    const numbers = ranked.segments.slice(0, limit).map(({ index }) => Number(pool.segments[index]!.id))
    const bestFiles = ranked.files.slice(0, limit)
    const owners = new Set([...bestFiles.map(({ file_id }) => Number(file_id)), ...numbers.map((number) => files.owner[number]!)])
    const records = await recordsOf(files, [...owners])
    const texts = await files.texts(numbers)

    phase('records')
    const resources = await corpus('resource', where, options.track)
    const resourceAnswers = await bestResources(resources, terms, vector, lanes, limit, floor)
    const empty = numbers.length + resourceAnswers.length === 0
    const remarks = [notice, empty ? (files.live + resources.live === 0 ? NOTHING_STORED : NOTHING_CLOSE) : undefined]
    const said = remarks.filter((remark) => remark !== undefined).join(' ')
    return {
      segments: numbers.map((number, place): RetrievedSegment => {
        const { index, score } = ranked.segments[place]!
        const { similarity, text_score } = pool.segments[index]!
        const file = records.get(files.owner[number]!)!
        const [segment, ordinal] = [texts[place]!, files.ordinal[number]!]
        return {
          id: segmentId(file.id, segment),
          text: segment,
          track: file.track,
          name: file.name,
          ordinal,
          score,
          similarity,
          text_score,
        }
      }),
      files: bestFiles.map(({ file_id, score, similarity, text_score }): RetrievedFile => {
        return { ...records.get(Number(file_id))!, score, similarity, text_score }
      }),
      resources: resourceAnswers,
      ...(said === '' ? {} : { notice: said }),
    }
  })
}

function checked(query: string, limit: number): number {
  if (typeof query !== 'string' || query.trim() === '') {
    throw new MemuError('empty_query', 'The query is blank.', { hint: 'Say what you are looking for.', exit: 2 })
  }
  if (!Number.isInteger(limit) || limit < 1 || limit > MOST_LIMIT) {
    throw new MemuError('invalid_limit', `The limit must be a whole number from 1 to ${MOST_LIMIT}.`, { exit: 2 })
  }
  return limit
}

interface Embedded {
  readonly vector?: Float32Array
  /** Why there is no vector. */
  readonly notice?: string
}

type Embedding = (state: StoreState, weight: (stem: string) => number) => Promise<Embedded>

/**
 * Embeds the query: at once where a server does it, so that no snapshot is held open meanwhile; the local embedder within the
 * snapshot, weighted by the words' frequencies in it. Where the vector lane cannot run, says why: the text lane answers alone.
 */
async function prepareEmbedding(tools: RetrieveTools, query: string): Promise<Embedding> {
  const deadlineMs = tools.deadlineMs ?? QUERY_DEADLINE_MS
  let signal: AbortSignal | undefined
  const deadline = () => (signal ??= AbortSignal.timeout(deadlineMs))
  const without = (error: unknown): Embedded => {
    const why = signal?.aborted ? `The embedding server gave no answer within ${deadlineMs / 1000} s.` : reason(error)
    return { notice: `Answered by text alone: the query could not be embedded. ${why} \`memu doctor\` says more.` }
  }
  let embedder: Embedder
  try {
    embedder = await tools.openEmbedder(deadline)
  } catch (error) {
    const failed = without(error)
    return async () => failed
  }
  const local = embedder.space.provider === 'local'
  const embed = async (weight?: (stem: string) => number): Promise<Embedded> => {
    try {
      const text = head(query, embedder.maxCharacters)
      return { vector: await (local ? embedder.embedQuery(text, weight) : embedder.embedQuery(text, weight, deadline())) }
    } catch (error) {
      return without(error)
    }
  }
  const early = !local && comparable(await tools.store.state(), embedder.space) ? await embed() : undefined
  return async (state, weight) => {
    const notice = unusable(state, embedder.space)
    if (notice !== undefined) return { notice }
    // A store without a space has no vectors either.
    if (state.space === undefined) return {}
    return early ?? embed(weight)
  }
}

function comparable(state: StoreState, own: EmbeddingSpace): boolean {
  return state.space !== undefined && unusable(state, own) === undefined
}

/** Why vectors of this space cannot be compared with the store's, in words; undefined where they can. */
function unusable({ space, pending }: StoreState, own: EmbeddingSpace): string | undefined {
  if (space === undefined) return undefined
  if (!sameSpace(space, own)) {
    const next =
      space.provider === 'local' && own.provider === 'local' ? 'the next commit re-embeds it' : 'run `memu reindex` to re-embed it'
    return `Answered by text alone: the store was embedded with ${spaceName(space)}, this program embeds with ${spaceName(own)}; ${next}.`
  }
  return pending ? 'Answered by text alone: re-embedding has not finished; run `memu reindex` to go on.' : undefined
}

export function spaceName({ provider, model, dimensions }: EmbeddingSpace): string {
  return `${provider}/${model} (${dimensions} dimensions)`
}

/** How telling a word of the query is: by its frequency in the view. A word that no segment holds tells as much as one that a single one holds. */
function frequencyWeights(files: Corpus, text: TextScores): (stem: string) => number {
  return (stem) => idf(files.live, Math.max(1, text.frequency.get(stem) ?? 0))
}

/** All of the pool or nothing: among near lines a distant one may still be the answer. */
function closePool(pool: CandidatePool, floor: number): CandidatePool {
  return isClose(pool, floor) ? pool : { segments: [], files: [] }
}

async function bestResources(
  corpus: Corpus,
  terms: readonly string[],
  vector: Float32Array | undefined,
  lanes: Lanes,
  limit: number,
  floor: number,
): Promise<RetrievedResource[]> {
  if (corpus.live === 0) return []
  const pool = closePool(await fillPool(corpus, lanes === 'vector' ? undefined : await corpus.text(terms), vector, limit), floor)
  const best = rank(pool, limit, lanes).segments.slice(0, limit)
  const records = await corpus.resources(best.map(({ index }) => corpus.owner[Number(pool.segments[index]!.id)]!))
  return best.map(({ index, score }, place) => {
    const { similarity, text_score } = pool.segments[index]!
    return { ...records[place]!, score, similarity, text_score }
  })
}

async function recordsOf(corpus: Corpus, owners: readonly number[]): Promise<Map<number, RecallFile>> {
  const files = await corpus.files(owners)
  return new Map(owners.map((owner, index) => [owner, files[index]!]))
}

/** A text occurs once in a file, so that file and text name the segment in every store and through every rewrite. */
function segmentId(file: string, text: string): string {
  return `${file}:${textHash(text)}`
}

/** 53 bits of the text as 14 hex digits: two multiplicative hashes. Loading `node:crypto` for this would cost a prompt 4 ms. */
function textHash(text: string): string {
  let high = 0x811c9dc5
  let low = 0x9747b28c
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    high = Math.imul(high ^ unit, 0x01000193)
    low = Math.imul(low ^ unit, 0x5bd1e995)
    low ^= low >>> 15
  }
  return ((high >>> 11) * 2 ** 32 + (low >>> 0)).toString(16).padStart(14, '0')
}

/** As much of a pasted text as the embedder takes whole; the text lane has all of it. */
function head(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
