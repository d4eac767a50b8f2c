/** `memu commit`: writes a JSON payload into the store, all of it or nothing. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { loadSettings } from '../../config/load.ts'
import type { CommitReceipt } from '../../memory/backend.ts'
import { openBackend } from '../../memory/open.ts'
import { MemuError, reason } from '../../util/errors.ts'
import type { Io } from '../io.ts'
import { sweepCopies } from '../sweep-copies.ts'
import { EDITED_FILES, parsePayload } from './payload.ts'
import { NO_REDACT, removedLine, storeGate } from './store-gate.ts'

const HELP = `
The payload, every key optional:
  {
    "recall_files": [{"track": "memory", "name": "preferences", "description": "…", "content": "one fact a line"}],
    "resource":     [{"url": "/home/me/plan.md", "caption": "the release plan"}],
    "forget":       [{"track": "memory", "name": "old-notes"}],
    "user":         {"user_id": "…", "agent_id": "…"}
  }
A file replaces the one of the same track and name. Nothing is written unless everything is. Secrets are taken out first.

Examples:
  memu commit payload.json
  jq -n '{recall_files: [{name: "hello", content: "Deploys run on Fridays."}]}' | memu commit`

export function addCommit(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('commit')
    .description('write a JSON payload into the store')
    .argument('[file]', 'the payload; - reads standard input, as does nothing where it is no keyboard')
    .option(...NO_REDACT)
    .option('--json', 'print the receipt as JSON')
    .addHelpText('after', HELP)
    .action(async (file: string | undefined, options: { redact: boolean; json?: true }) => {
      if (file === undefined && io.typed()) throw noPayload('There is no payload.')
      if (file?.toLowerCase().endsWith('.md')) throw noPayload(`${JSON.stringify(file)} is a memory file, not a JSON payload.`)
      const given = parsePayload(file === undefined || file === '-' ? await io.readStdin() : readPayload(resolve(io.system.cwd, file)))
      const gate = await storeGate(io.system, options.redact)
      const payload = gate.payload(given)
      const backend = await openBackend(loadSettings(io.system), io.system)
      try {
        const receipt = await backend.commitResults(payload)
        io.out(options.json ? `${JSON.stringify({ ...receipt, redacted: gate.removed() })}\n` : `${summary(receipt)}\n${removedLine(gate)}`)
        await sweepCopies(io, backend)
      } finally {
        await backend.close()
      }
    })
}

function noPayload(message: string): MemuError {
  return new MemuError('usage', message, { hint: `${EDITED_FILES} memu commit --help shows the form of a payload.`, exit: 2 })
}

function readPayload(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new MemuError('payload_unreadable', `Cannot read the payload: ${reason(error)}.`, {
      hint: 'Give the path of a JSON file, or nothing to read it from standard input.',
      cause: error,
      exit: 2,
    })
  }
}

function summary(receipt: CommitReceipt): string {
  const count = (items: readonly { readonly change: string }[]): string =>
    (['created', 'updated', 'unchanged'] as const)
      .map((change) => [items.filter((item) => item.change === change).length, change] as const)
      .flatMap(([number, change]) => (number === 0 ? [] : [`${number} ${change}`]))
      .join(', ') || 'none'
  const forgotten = receipt.forgotten.length === 0 ? '' : `; forgotten: ${receipt.forgotten.length}`
  return `files: ${count(receipt.recall_files)}; resources: ${count(receipt.resources)}${forgotten}`
}
