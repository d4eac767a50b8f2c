/** A system whose settings lie in a temporary home. */
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { settingsFile } from '../../../src/keel/settings/place.ts'
import type { System } from '../../../src/util/system.ts'
import { temporaryFolder } from '../../helpers/temporary.ts'
import { testSystem } from '../ai/system.ts'

export interface SettingsWorld {
  readonly system: System
  readonly path: string
  write(content: unknown, mode?: number): void
}

export function settingsWorld(env: Readonly<Record<string, string>> = {}): SettingsWorld {
  const home = temporaryFolder()
  const system: System = { ...testSystem([], { HOME: home, ...env }), home, cwd: home }
  const path = settingsFile(system)
  return {
    system,
    path,
    write(content, mode = 0o600) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content), { mode })
    },
  }
}

export const modeOf = (path: string) => statSync(path).mode & 0o777
