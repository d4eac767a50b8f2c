/** Opens the gates of a run with what this installation has: its nonces, its trees, its secrets. The rules load only when text is to be read. */
import { knownNonces } from '../guard/nonce.ts'
import type { System } from '../util/system.ts'
import type { FilesGate } from './files-gate.ts'
import { filesGate } from './files-gate.ts'
import { type KnownSecret, knownSecrets } from './known-secrets.ts'
import type { Layout } from './layout.ts'
import { type Redact, type SliceGate, sliceGate } from './slice-gate.ts'

/** Makes the function that removes secrets; tests give their own. */
export interface Redaction {
  readonly version: number
  readonly create: (known: readonly KnownSecret[]) => Redact
}

export interface GateOptions {
  readonly system: System
  /** False under `--no-redact`. */
  readonly redact: boolean
  /** The rules of `redaction/` by default. */
  readonly redaction?: Redaction
}

/** Errors: `config_unreadable`. */
export async function openSliceGate(tree: Layout, options: GateOptions): Promise<SliceGate> {
  const { home } = options.system
  const opened = await openRedaction(options)
  return sliceGate({ nonces: knownNonces(home), roots: [tree.base], home, rules: 'off', ...opened })
}

/** Errors: `config_unreadable`. */
export async function openFilesGate(options: GateOptions): Promise<FilesGate> {
  return filesGate((await openRedaction(options))?.redact)
}

async function openRedaction({
  system,
  redact,
  redaction,
}: GateOptions): Promise<{ readonly redact: Redact; readonly rules: number } | undefined> {
  if (!redact) return undefined
  const { version, create } = redaction ?? (await shippedRules())
  return { redact: create(knownSecrets(system)), rules: version }
}

async function shippedRules(): Promise<Redaction> {
  const { createRedactor, RULES_VERSION } = await import('../redaction/redact.ts')
  return { version: RULES_VERSION, create: createRedactor }
}
