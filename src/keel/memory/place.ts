/** Where Keel keeps what it remembers by itself. */
import { join } from 'node:path'
import { dataFolder } from '../../util/app-folders.ts'
import type { System } from '../../util/system.ts'

/** The embedded store's file, in the place that the platform has for an application's data. */
export function defaultStoreFile(system: Pick<System, 'env' | 'home' | 'platform'>): string {
  return join(dataFolder(system), 'keel', 'events.db')
}
