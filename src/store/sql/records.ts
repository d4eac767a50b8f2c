/** Rows to records and back. */
import type { Provenance, RecallFile, Resource } from '../../records.ts'

export const FILE_COLUMNS =
  'f.key, f.id, f.track, f.name, f.description, f.content, f.revision, f.created_at, f.updated_at, f.provenance, c.user_id, c.agent_id'
export const FILES = `select ${FILE_COLUMNS} from files f join corpora c on c.id = f.corpus`

export const RESOURCES =
  'select r.key, r.id, r.url, r.caption, r.track, r.revision, r.created_at, r.updated_at, c.user_id, c.agent_id from resources r join corpora c on c.id = r.corpus'

export interface FileRow {
  readonly key: number
  readonly id: string
  readonly track: string
  readonly name: string
  readonly description: string
  readonly content: string
  readonly revision: number
  readonly created_at: string
  readonly updated_at: string
  readonly provenance: string | null
  readonly user_id: string
  readonly agent_id: string
}

export interface ResourceRow extends Resource {
  readonly key: number
  readonly revision: number
}

export function fileOf(row: FileRow): RecallFile {
  const provenance = provenanceOf(row.provenance)
  return {
    id: row.id,
    track: row.track,
    name: row.name,
    description: row.description,
    content: row.content,
    user_id: row.user_id,
    agent_id: row.agent_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    ...(provenance === undefined ? {} : { provenance }),
  }
}

export function resourceOf(row: ResourceRow): Resource {
  const { id, url, caption, track, user_id, agent_id, created_at, updated_at } = row
  return { id, url, caption, track, user_id, agent_id, created_at, updated_at }
}

export function provenanceOf(json: string | null): Provenance | undefined {
  return json === null ? undefined : (JSON.parse(json) as Provenance)
}

export function provenanceJson(provenance: Provenance | undefined): string | null {
  return provenance === undefined ? null : JSON.stringify(provenance)
}
