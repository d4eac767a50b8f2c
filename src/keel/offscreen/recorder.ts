/** Writes the mode's events: best effort. No failure of the memory fails a command. */

import { reason } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import { withinTime } from '../../util/time-limit.ts'
import { untilAborted } from '../../util/until-aborted.ts'
import type { Async } from './async.ts'
import { MODE } from './kinds.ts'
import type { Services } from './services.ts'

export interface Recorder {
  /** Goes on by itself. */
  async(kind: string, id: string, data?: Readonly<Record<string, unknown>>): void
  /** Resolves when the event is stored, or cannot be; after two seconds the rest goes on by itself. Never rejects. */
  sync(kind: string, id: string, data?: Readonly<Record<string, unknown>>): Promise<void>
}

/** Milliseconds; a memory that is slower keeps nobody waiting. */
const WAIT_MS = 2_000

/** `background` is what a stop waits for: no event is left behind. */
export function newRecorder(services: () => Pick<Services, 'memory' | 'log'>, now: () => Date, background: Async): Recorder {
  const record = (kind: string, id: string, data: Readonly<Record<string, unknown>> = {}): Promise<void> => {
    const { memory, log } = services()
    if (memory === undefined) return Promise.resolve()
    const event = { kind, at: now(), data: { proposal_id: id, mode: MODE, ...data } }
    return background.run(
      () => memory.record(event),
      (settled) => {
        if ('error' in settled) log?.(`offscreen: memory record ${kind}: ${printable(reason(settled.error))}`)
      },
    )
  }
  return {
    async: (kind, id, data) => void record(kind, id, data),
    sync: (kind, id, data) => withinTime(WAIT_MS, undefined, (limit) => untilAborted(record(kind, id, data), limit, undefined)),
  }
}
