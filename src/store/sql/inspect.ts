/** What `doctor` wants to know about a store. */
import type { StoreReport } from '../store.ts'
import type { Driver } from './driver.ts'
import { readState } from './meta.ts'

export async function inspect(driver: Driver): Promise<StoreReport> {
  const count = async (sql: string) => Number((await driver.get<{ n: number }>(sql))!.n)
  const resources = await count('select count(*) as n from resources')
  return {
    kind: driver.kind,
    location: driver.location,
    ...(await readState(driver)),
    files: await count('select count(*) as n from files'),
    // Each resource has one segment, its caption.
    segments: (await count('select count(*) as n from segments')) - resources,
    resources,
    withoutVector: await count('select count(*) as n from segments s left join vectors v on v.key = s.key where v.key is null'),
  }
}
