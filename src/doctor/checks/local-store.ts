/** The store of local mode, for the checks that look into it. */

import type { LocalBackend } from '../../memory/local.ts'
import { openLocalBackend } from '../../memory/open.ts'
import type { CheckContext } from '../check.ts'

/** Opens the store for reading, hands it to `use` and closes it. Undefined where another check says why there is none to open. */
export async function withLocalStore<Result>(
  { settings, system }: CheckContext,
  use: (backend: LocalBackend) => Promise<Result>,
): Promise<Result | undefined> {
  if (settings.mode !== 'local' || settings.db === undefined) return undefined
  const backend = await openLocalBackend(settings, system, { readOnly: true })
  try {
    return await use(backend)
  } finally {
    await backend.close()
  }
}
