/** What a command throws, in print and as the code that its process ends with. Loaded when there is something. */
import { loadSettings } from '../config/load.ts'
import { MemuError, reason } from '../util/errors.ts'
import { printable } from '../util/printable.ts'
import type { System } from '../util/system.ts'
import { systemFailure } from '../util/system-failure.ts'

const INTERRUPTED = 130

/**
 * `error: …` and, on a line of its own, what to do next; one JSON object under `--json`. The words may come from a log, a server
 * or a file name: nothing of them but text reaches the terminal.
 */
export function describe(error: unknown, json: boolean, debug = false): string {
  const { code, message, hint } = error instanceof MemuError ? error.toJSON() : unexpected(error)
  if (json) return `${JSON.stringify({ error: { code, message, hint } })}\n`
  const stack = debug && error instanceof Error ? lines(error.stack ?? '') : ''
  return `error: ${printable(message)}\n${hint === undefined ? '' : `  ${printable(hint)}\n`}${stack}`
}

function unexpected(error: unknown): { code: string; message: string; hint?: string } {
  if (isAbort(error)) return { code: 'interrupted', message: 'Interrupted.' }
  const refused = systemFailure(error)
  if (refused !== undefined) return refused.toJSON()
  return { code: 'unexpected', message: reason(error), hint: 'This is a fault in memU. MEMU_DEBUG=1 shows where it happened.' }
}

/** Each line cleaned, its indent kept. */
function lines(text: string): string {
  return text
    .split('\n')
    .map((line) => `${/^ */.exec(line)![0]}${printable(line)}\n`)
    .join('')
}

export function exitCode(error: unknown): number {
  if (error instanceof MemuError) return error.code === 'interrupted' ? INTERRUPTED : error.exit
  return isAbort(error) ? INTERRUPTED : 1
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError'
}

/** Whether to show where it happened. */
export function isDebugging(system: System): boolean {
  try {
    return loadSettings(system).debug
  } catch {
    return Boolean(system.env.MEMU_DEBUG) // The configuration may be the very thing that is broken.
  }
}
