/** What remains of a terminal that was closed while the daemon ran. */
import { closeSync, fstatSync, openSync } from 'node:fs'
import { isatty } from 'node:tty'

/**
 * Before the process exits: Node.js then gives each terminal back as it was, and aborts where it cannot, because the terminal is gone.
 * The descriptors of such a one are replaced; a freed descriptor is the next that is given out.
 */
export function forgetClosedTerminal(): void {
  if (process.platform === 'win32') return
  for (const fd of [0, 1, 2]) {
    try {
      if (!fstatSync(fd).isCharacterDevice() || isatty(fd)) continue
      closeSync(fd)
      openSync('/dev/null', 'r+')
    } catch {
      // It was closed from the beginning: there is no terminal to give back.
    }
  }
}
