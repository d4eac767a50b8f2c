/** Corpora: one for each scope and kind. Their rows hold the counters from which owners and slots get their numbers. */
import type { Scope, Where } from '../../records.ts'
import type { Kind } from '../store.ts'
import type { Driver } from './driver.ts'

export interface CorpusRow {
  readonly id: number
  readonly kind: Kind
  readonly user_id: string
  readonly agent_id: string
  next_owner: number
  next_slot: number
  dead: number
}

const COLUMNS = 'id, kind, user_id, agent_id, next_owner, next_slot, dead'

/** The corpora of a kind whose scope matches, in order of their ids. */
export function matchingCorpora(driver: Driver, kind: Kind, where: Where): Promise<CorpusRow[]> {
  const params: string[] = [kind]
  let sql = `select ${COLUMNS} from corpora where kind = ?`
  if (where.user_id !== undefined) {
    sql += ' and user_id = ?'
    params.push(where.user_id)
  }
  if (where.agent_id !== undefined) {
    sql += ' and agent_id = ?'
    params.push(where.agent_id)
  }
  return driver.all<CorpusRow>(`${sql} order by id`, params)
}

export async function findCorpus(driver: Driver, kind: Kind, scope: Scope): Promise<CorpusRow | undefined> {
  return (await matchingCorpora(driver, kind, scope))[0]
}

/** The corpus of a scope, made where it does not exist. Inside a write transaction. */
export async function ensureCorpus(driver: Driver, kind: Kind, scope: Scope): Promise<CorpusRow> {
  const found = await findCorpus(driver, kind, scope)
  if (found !== undefined) return found
  await driver.run(`insert into corpora (${COLUMNS}) select coalesce(max(id), 0) + 1, ?, ?, ?, 1, 0, 0 from corpora`, [
    kind,
    scope.user_id,
    scope.agent_id,
  ])
  return (await findCorpus(driver, kind, scope))!
}

export function allCorpora(driver: Driver): Promise<CorpusRow[]> {
  return driver.all<CorpusRow>(`select ${COLUMNS} from corpora order by id`)
}

export function saveCorpus(driver: Driver, corpus: CorpusRow): Promise<void> {
  return driver.run('update corpora set next_owner = ?, next_slot = ?, dead = ? where id = ?', [
    corpus.next_owner,
    corpus.next_slot,
    corpus.dead,
    corpus.id,
  ])
}
