/** Root may read everything: what is denied to others is shown by becoming one of them for a moment. */
import { chmodSync } from 'node:fs'

const NOBODY = 65534

/** `root` is a folder that whoever we become has to pass. */
export async function unprivileged<T>(root: string, action: () => T | Promise<T>): Promise<T> {
  if (process.getuid?.() !== 0 || process.seteuid === undefined) return await action()
  chmodSync(root, 0o755)
  process.seteuid(NOBODY)
  try {
    return await action()
  } finally {
    process.seteuid(0)
  }
}
