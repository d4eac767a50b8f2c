/** A progress bar on stderr for who watches it, and nothing at all for who does not. */
import type { Io } from './io.ts'

export interface ProgressBar {
  readonly update: (done: number, total: number) => void
  /** Leaves the line empty. Safe to call twice. */
  readonly end: () => void
}

const WIDTH = 30

export function progressBar(io: Io, what: string): ProgressBar {
  if (!io.interactive()) return { update: () => {}, end: () => {} }
  let shown = false
  return {
    update(done, total) {
      const filled = total === 0 ? WIDTH : Math.round((done / total) * WIDTH)
      io.err(`\r\u001b[2K${what} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${done}/${total}`)
      shown = true
    },
    end() {
      if (shown) io.err('\r\u001b[2K')
      shown = false
    },
  }
}
