/** The hosts that this machine has, by their logs. */
import { type OwnLog, ownLog } from '../../hosts/own-log.ts'
import type { CheckContext } from '../check.ts'

/** In the order of `hosts`; looked at side by side. One that cannot be looked at counts as used: then a check says what is wrong with it. */
export async function usedLogs({ hosts, system }: Pick<CheckContext, 'hosts' | 'system'>): Promise<OwnLog[]> {
  const logs = await Promise.all(hosts.map((spec) => ownLog(spec, system)))
  return logs.filter((log) => log !== undefined).filter(isUsed)
}

function isUsed({ source }: OwnLog): boolean {
  try {
    return source.exists()
  } catch {
    return true // Discovering it will say why.
  }
}
