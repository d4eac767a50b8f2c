/**
 * The gate in front of the store for commands that write what a person or a program gives them: the same as in a host's `commit`. The
 * library's `commitResults` stores what it is given.
 */
import { gates } from '../../bridging/open-gates.ts'
import { countsText, createCounter, type RuleCounts, summedCounts } from '../../bridging/rule-counts.ts'
import type { CommitPayload } from '../../memory/backend.ts'
import type { RecallFileInput, ResourceInput } from '../../records.ts'
import { MemuError } from '../../util/errors.ts'
import type { System } from '../../util/system.ts'

export const NO_REDACT = ['--no-redact', 'leave secrets in what is stored'] as const

export interface StoreGate {
  /** `at` says in an error which file it is. Errors: `secret_in_name` (exit 2). */
  file(file: RecallFileInput, at: string): RecallFileInput
  /** The whole payload, or an error that names the item: `secret_in_name` (exit 2). */
  payload(payload: CommitPayload): CommitPayload
  /** Secrets removed so far, by rule. */
  removed(): Readonly<Record<string, number>>
}

/** With `redact` false everything passes as it is. Errors: `config_unreadable`. */
export async function storeGate(system: System, redact: boolean): Promise<StoreGate> {
  const gate = await gates({ system, redact }).files()
  const counter = createCounter()
  const isSecret = (text: string): boolean => gate.text(text) !== text
  const counted = <Input>(gated: { readonly input: Input; readonly removed: RuleCounts } | undefined, at: string): Input => {
    if (gated === undefined) throw secretInName(at)
    counter.add(gated.removed)
    return gated.input
  }
  const file = (file: RecallFileInput, at: string): RecallFileInput => {
    if (isSecret(file.track ?? '')) throw secretInName(at)
    return counted(gate.file(file), at)
  }
  const resource = (resource: ResourceInput, at: string): ResourceInput => counted(gate.resource(resource), at)
  return {
    file,
    payload: (payload) => ({
      ...payload,
      ...(payload.recall_files && { recall_files: payload.recall_files.map((one, index) => file(one, `recall_files[${index}]`)) }),
      ...(payload.resource && { resource: payload.resource.map((one, index) => resource(one, `resource[${index}]`)) }),
    }),
    removed: () => summedCounts([counter.counts]),
  }
}

/** A line for people; empty where nothing was removed. */
export function removedLine(gate: StoreGate): string {
  const counts = countsText(gate.removed())
  return counts === '' ? '' : `secrets kept out of the store: ${counts}\n`
}

/** The name is a file's identity: another one in its place would be another file. */
function secretInName(at: string): MemuError {
  return new MemuError('secret_in_name', `The name of ${at} holds a secret. Nothing was written.`, {
    hint: 'Give it another name; --no-redact stores it as it is.',
    exit: 2,
  })
}
