/** The errors of the port, worded the same whatever the tool. `why` is a clause without a full stop. */
import { MemuError } from '../../util/errors.ts'
import { printable } from '../../util/printable.ts'
import { redact } from '../../util/redact.ts'
import { withoutColours } from './colours.ts'

interface Reason {
  readonly hint?: string | undefined
  readonly cause?: unknown
}

/** A tool's own words are data, and may be long. Characters. */
const WORDS_LIMIT = 300

/** No list could be had. */
export function unavailable(tool: string, why: string, reason: Reason = {}): MemuError {
  return failure('tasks_unavailable', `${tool} did not give its tasks: ${why}.`, reason)
}

/** The task does not stand there, for sure. */
export function notCreated(tool: string, why: string, reason: Reason = {}): MemuError {
  return failure('task_create_failed', `The task was not added to ${tool}: ${why}.`, reason)
}

/** It may stand there or not: adding it again is for the user to decide. */
export function perhapsCreated(tool: string, why: string, reason: Reason = {}): MemuError {
  const hint = `Look for it in ${tool} first: confirm again only if it is not there.`
  return failure('task_create_unknown', `Nobody knows whether the task was added to ${tool}: ${why}.`, { ...reason, hint })
}

/** What a program or server said, on one short line and without the secrets it was given. */
export function toolWords(text: string, secrets: readonly string[] = []): string {
  const line = printable(redact(withoutColours(text), secrets)).replace(/\.$/, '')
  return line.length > WORDS_LIMIT ? `${line.slice(0, WORDS_LIMIT)}…` : line
}

function failure(code: string, message: string, { hint, cause }: Reason): MemuError {
  return new MemuError(code, message, { cause, ...(hint === undefined ? {} : { hint }) })
}
