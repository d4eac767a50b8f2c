/**
 * The random id of this installation. It says that two events come from one place, and nothing about who that is. No command calls
 * this yet: `init` and the events, which mint the id, come with a later version.
 */
import { randomUUID } from 'node:crypto'
import type { System } from '../util/system.ts'
import { loadSettings } from './load.ts'
import { writeConfig } from './write.ts'

/** The id that is declared, else a new one, stored first. Undefined where it could not be stored: nothing may depend on it. */
export async function ensureClientId(system: System): Promise<string | undefined> {
  try {
    const declared = (): string | undefined => loadSettings(system).value('MEMU_CLIENT_ID')
    if (declared() === undefined) {
      await writeConfig(system, (onDisk): Record<string, string> => (onDisk.get('MEMU_CLIENT_ID') ? {} : { MEMU_CLIENT_ID: randomUUID() }))
    }
    return declared() // Read again: of two writers the first one's id stands.
  } catch {
    return undefined // No id, then: an id that is not on disk would be another one each time.
  }
}
