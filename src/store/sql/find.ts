/** Looking up files and resources by their names, and listing them in order. */
import type { FileKey, RecallFile, Scope, Where } from '../../records.ts'
import type { FileVersion, ListKey, StoredFile, StoredResource } from '../store.ts'
import { findCorpus, matchingCorpora } from './corpora.ts'
import type { Driver, Value } from './driver.ts'
import { FILES, type FileRow, fileOf, provenanceOf, RESOURCES, type ResourceRow, resourceOf } from './records.ts'

export interface SegmentRow {
  readonly key: number
  readonly ordinal: number
  readonly text: string
  /** Null where the segment has no vector. */
  readonly vector_key: number | null
}

/** The segments of an owner in their order. */
export function segmentsOf(driver: Driver, owner: number): Promise<SegmentRow[]> {
  return driver.all<SegmentRow>(
    'select s.key, s.ordinal, s.text, v.key as vector_key from segments s left join vectors v on v.key = s.key where s.owner = ? order by s.ordinal',
    [owner],
  )
}

export function findFile(driver: Driver, corpus: number, key: FileKey): Promise<FileRow | undefined> {
  return driver.get<FileRow>(`${FILES} where f.corpus = ? and f.track = ? and f.name = ?`, [corpus, key.track, key.name])
}

export function findResource(driver: Driver, corpus: number, url: string): Promise<ResourceRow | undefined> {
  return driver.get<ResourceRow>(`${RESOURCES} where r.corpus = ? and r.url = ?`, [corpus, url])
}

export async function findFiles(driver: Driver, scope: Scope, keys: readonly FileKey[]): Promise<StoredFile[]> {
  const corpus = await findCorpus(driver, 'file', scope)
  if (corpus === undefined) return []
  const found: StoredFile[] = []
  for (const key of keys) {
    const row = await findFile(driver, corpus.id, key)
    if (row === undefined) continue
    const segments = (await segmentsOf(driver, row.key)).map(({ text, vector_key }) => ({ text, hasVector: vector_key !== null }))
    found.push({ ...fileOf(row), revision: row.revision, segments })
  }
  return found
}

export async function findResources(driver: Driver, scope: Scope, urls: readonly string[]): Promise<StoredResource[]> {
  const corpus = await findCorpus(driver, 'resource', scope)
  if (corpus === undefined) return []
  const found: StoredResource[] = []
  for (const url of urls) {
    const row = await findResource(driver, corpus.id, url)
    if (row === undefined) continue
    const segments = await segmentsOf(driver, row.key)
    found.push({ ...resourceOf(row), revision: row.revision, hasVector: segments.every(({ vector_key }) => vector_key !== null) })
  }
  return found
}

export async function listFiles(driver: Driver, where: Where, after: ListKey | null, limit: number): Promise<RecallFile[]> {
  const corpora = (await matchingCorpora(driver, 'file', where)).map(({ id }) => id)
  if (corpora.length === 0) return []
  // One corpus is the usual case, and its unique index gives the order without sorting.
  const params: Value[] = corpora.length === 1 ? [corpora[0]!] : [JSON.stringify(corpora)]
  let sql = `${FILES} where ${corpora.length === 1 ? 'f.corpus = ?' : `f.corpus in ${driver.dialect.integers}`}`
  if (after !== null) {
    sql += ' and (f.track, f.name, f.id) > (?, ?, ?)'
    params.push(after.track, after.name, after.id)
  }
  params.push(limit)
  return (await driver.all<FileRow>(`${sql} order by f.track, f.name, f.id limit ?`, params)).map(fileOf)
}

/** The tombstones of whole files. */
export async function forgottenFiles(driver: Driver, where: Where): Promise<FileKey[]> {
  const corpora = (await matchingCorpora(driver, 'file', where)).map(({ id }) => id)
  const sql = `select track, name from tombstones where text = '' and corpus in ${driver.dialect.integers}`
  return corpora.length === 0 ? [] : driver.all<{ track: string; name: string }>(sql, [JSON.stringify(corpora)])
}

interface VersionRow {
  readonly number: number
  readonly track: string
  readonly name: string
  readonly description: string
  readonly content: string
  readonly change: FileVersion['change']
  readonly at: string
  readonly provenance: string | null
}

export async function versionsOf(driver: Driver, scope: Scope, key: FileKey): Promise<FileVersion[]> {
  const corpus = await findCorpus(driver, 'file', scope)
  if (corpus === undefined) return []
  const rows = await driver.all<VersionRow>(
    'select number, track, name, description, content, change, at, provenance from versions where corpus = ? and track = ? and name = ? order by number desc',
    [corpus.id, key.track, key.name],
  )
  return rows.map(({ number, track, name, description, content, change, at, provenance: json }) => {
    const provenance = provenanceOf(json)
    return { version: number, track, name, description, content, change, at, ...(provenance === undefined ? {} : { provenance }) }
  })
}
