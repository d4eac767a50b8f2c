/** Which memory the settings ask for. */
import type { System } from '../../util/system.ts'
import type { AwClient } from '../aw/client.ts'
import { type MemoryOptions, openMemory } from '../memory/open.ts'
import { defaultStoreFile } from '../memory/place.ts'
import type { KeelMemory } from '../memory/store.ts'
import type { KeelSettings } from '../settings/settings.ts'

export interface MemoryContext {
  readonly system: System
  readonly log: (line: string) => void
  readonly notify: () => void
  /** Of the embedded store; default: the place that the platform has for it. */
  readonly storeFile?: string | undefined
}

/** Ready at once; never throws. `auto`: ActivityWatch with the embedded store; `local`: only this one; `none`: only ActivityWatch. */
export function chooseMemory(settings: KeelSettings, aw: AwClient, { system, log, notify, storeFile }: MemoryContext): KeelMemory {
  const options: MemoryOptions = {
    system,
    log,
    notify,
    ...(settings.memory === 'local' ? {} : { aw }),
    ...(settings.memory === 'none' ? {} : { file: storeFile ?? defaultStoreFile(system) }),
  }
  return openMemory(options)
}

/** Whether they ask for the same memory: one that may stay open. */
export function isSameMemory(a: KeelSettings, b: KeelSettings): boolean {
  return (['memory', 'aw_url', 'aw_api_key'] as const).every((key) => a[key] === b[key])
}
