/** `doctor`: proves the whole path with a real search, and says what is wrong and what to do next. */
import { loadSettings } from '../config/load.ts'
import type { Settings } from '../config/settings.ts'
import { MemuError, reason } from '../util/errors.ts'
import { systemFailure } from '../util/system-failure.ts'
import type { Check, CheckContext, Finding, Level } from './check.ts'
import { configCheck } from './checks/config.ts'
import { embeddingCheck } from './checks/embedding.ts'
import { folderCheck } from './checks/folder.ts'
import { hostLogCheck } from './checks/host-log.ts'
import { learningCheck } from './checks/learning.ts'
import { modeCheck } from './checks/mode.ts'
import { proxyCheck } from './checks/proxy.ts'
import { searchCheck } from './checks/search.ts'
import { storeCheck } from './checks/store.ts'

export interface Diagnosis {
  /** The worst level there is. */
  readonly level: Level
  readonly findings: readonly (Finding & { readonly check: string })[]
}

/** In the order in which things depend on each other: the first failure is the one to look at. */
const CHECKS: readonly Check[] = [modeCheck, folderCheck, storeCheck, embeddingCheck, searchCheck, proxyCheck, hostLogCheck, learningCheck]

/** Never throws: whatever goes wrong is a finding. Changes nothing. */
export async function diagnose(context: Omit<CheckContext, 'settings'>): Promise<Diagnosis> {
  const findings = [...(await runCheck(configCheck, context))]
  const settings = readableSettings(context)
  // Without settings the rest would only repeat what the first finding says.
  if (settings !== undefined) for (const check of CHECKS) findings.push(...(await runCheck(check, { ...context, settings })))
  const level = (['fail', 'warn'] as const).find((one) => findings.some((finding) => finding.level === one)) ?? 'ok'
  return { level, findings }
}

async function runCheck<Context>(check: Check<Context>, context: Context): Promise<Diagnosis['findings']> {
  try {
    return (await check.run(context)).map((finding) => ({ check: check.name, ...finding }))
  } catch (error) {
    const known = systemFailure(error) ?? error
    const next = (known instanceof MemuError ? known.hint : undefined) ?? 'MEMU_DEBUG=1 memu doctor shows where it happened.'
    return [{ check: check.name, level: 'fail', what: reason(known), next }]
  }
}

function readableSettings({ system }: Pick<CheckContext, 'system'>): Settings | undefined {
  try {
    return loadSettings(system)
  } catch {
    return undefined // The check of the configuration has said why.
  }
}
