/** From settings to the services of a mode: everything that can be wrong with settings is found here, before anything is replaced. */
import type { System } from '../../util/system.ts'
import type { Proposer } from '../ai/backend.ts'
import { openProposer } from '../ai/open.ts'
import { type AwClient, awClient } from '../aw/client.ts'
import { newFileSource } from '../knowledge/file.ts'
import { newMemuSource } from '../knowledge/memu.ts'
import type { KeelMemory } from '../memory/store.ts'
import type { Services } from '../offscreen/services.ts'
import { newScreenTime } from '../screen-time/screen-time.ts'
import { about, InvalidSetting } from '../settings/invalid-setting.ts'
import { type KeelSettings, type SettingKey, settingRow } from '../settings/settings.ts'
import { openTasks } from '../tasks/open.ts'
import { toldList } from '../tasks/told-list.ts'

export interface BuildContext {
  readonly system: System
  /** Called last, when nothing can be wrong any more. Must not throw. */
  readonly openMemory: (aw: AwClient) => KeelMemory
  readonly log: (line: string) => void
  readonly notify: () => void
  /** Sees what the proposer gives away. */
  readonly watch?: (ai: Proposer) => Proposer
}

export interface Built {
  readonly services: Services & { readonly memory: KeelMemory }
  readonly aw: AwClient
}

/**
 * Starts no program and asks no server. Errors: `InvalidSetting`, that of the proposer first (`invalid_backend` where its name is none).
 */
export async function buildServices(
  settings: KeelSettings,
  { system, openMemory, log, notify, watch = (ai) => ai }: BuildContext,
): Promise<Built> {
  const ai = watch(await openAi(settings, system))
  for (const key of ['memu', 'screen_time', 'memory'] as const) checkChoice(key, settings[key])
  const aw = await openAw(settings, system)
  const tasks = toldList(await about('tasks', () => openTasks(settings, system)), log)
  const memory = openMemory(aw)
  const isAway = (): boolean => {
    const { where, reason } = memory.state()
    // Without a reason nobody has looked for it yet.
    return where !== 'activitywatch' && reason !== undefined
  }
  // With a memory that is local ActivityWatch is asked nothing at all.
  const hasScreenTime = settings.screen_time === 'on' && settings.memory !== 'local'
  const services = {
    ai,
    tasks,
    memory,
    knowledge: newFileSource(settings.knowledge_path, system, {
      log,
      isTrusted: Boolean(system.env[settingRow('knowledge_path')!.env]?.trim()),
    }),
    ...(settings.memu === 'on' ? { known: newMemuSource({ system, log }) } : {}),
    ...(hasScreenTime ? { screenTime: newScreenTime({ aw, system, log, isAway }) } : {}),
    clock: () => system.now(),
    notify,
    log,
  }
  return { services, aw }
}

function openAi(settings: KeelSettings, system: System): Promise<Services['ai']> {
  const { ai_backend: backend, ai_model: model, ai_url: url, ai_key: key, ai_program: program } = settings
  // What its name is not to blame for is its address.
  return about('ai_backend', () => openProposer({ backend, model, url, key, program }, system)).catch((error: InvalidSetting) => {
    throw error.code === 'invalid_backend' ? error : new InvalidSetting('ai_url', error.message, { cause: error, ...hintOf(error) })
  })
}

function hintOf({ hint }: InvalidSetting): { readonly hint?: string } {
  return hint === undefined ? {} : { hint }
}

function openAw({ aw_url: url, aw_api_key: key }: KeelSettings, system: System): Promise<AwClient> {
  return about('aw_url', () => awClient({ url, key, system }))
}

function checkChoice(key: SettingKey, value: string): void {
  const { choices = [], env } = settingRow(key)!
  if (choices.includes(value)) return
  throw new InvalidSetting(key, `${env} cannot be ${JSON.stringify(value.slice(0, 60))}.`, { hint: `Choose one of ${choices.join(', ')}.` })
}
