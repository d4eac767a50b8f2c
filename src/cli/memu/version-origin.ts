/** How a version of a file came about, for people. What is stored of it are the sources of the whole file; here only its own count. */
import type { Provenance } from '../../records.ts'
import type { FileVersion } from '../../store/store.ts'
import { hostsOf, originText } from '../origin.ts'

/** `updated, from 1 session of codex (6d0f6a3e)`, `edited by hand`, `restored, as in version 3`. `older` newest first. */
export function madeBy({ change, provenance = {}, description, content }: FileVersion, older: readonly FileVersion[]): string {
  if (change === 'forgotten') return change
  if (change === 'restored') {
    const same = older.find((one) => one.change !== 'forgotten' && one.content === content && one.description === description)
    return same === undefined ? change : `${change}, as in version ${same.version}`
  }
  if (provenance.by_hand) return change === 'created' ? 'created by hand' : 'edited by hand'
  const origin = originText(ownSources(provenance, older[0]?.provenance))
  return origin === '' ? change : `${change}, from ${origin}`
}

/**
 * What a version has beyond the one before it. A session that went on is the last one, and the file's time tells that it did; without
 * either nothing is known: older versions of memU did not tell a hand from a run.
 */
function ownSources(now: Provenance, before: Provenance | undefined): Provenance {
  if (before === undefined) return now
  const added = (now.sessions ?? []).filter((session) => !before.sessions?.includes(session))
  const wentOn = now.to === before.to ? [] : (now.sessions ?? []).slice(-1)
  const sessions = added.length > 0 ? added : wentOn
  if (sessions.length === 0) return {}
  const host = hostsOf(now).at(-1)
  const isOne = now.projects?.length === 1
  const projects = isOne ? now.projects : now.projects?.filter((project) => !before.projects?.includes(project))
  return {
    sessions,
    ...(host === undefined ? {} : { host }),
    ...(projects === undefined ? {} : { projects }),
    ...(now.to === undefined || now.to === before.to ? {} : { to: now.to }),
  }
}
