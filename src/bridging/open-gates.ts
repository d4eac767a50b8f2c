/** Opens the gates of a run with what this installation has: its nonces, its trees, its secrets. The rules load only when text is to be read. */
import { knownNonces } from '../guard/nonce.ts'
import type { KnownSecret } from '../redaction/redact.ts'
import type { System } from '../util/system.ts'
import type { FilesGate } from './files-gate.ts'
import { filesGate } from './files-gate.ts'
import { knownSecrets } from './known-secrets.ts'
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

/** The gates of one run. The rules are made once, and only where there is a text to look at. */
export interface Gates {
  /** Errors: `config_unreadable`. */
  slices(tree: Layout): Promise<SliceGate>
  /** Errors: `config_unreadable`. */
  files(): Promise<FilesGate>
}

export function gates(options: GateOptions): Gates {
  let opened: Promise<OpenRedaction | undefined> | undefined
  const redaction = (): Promise<OpenRedaction | undefined> => {
    opened ??= openRedaction(options)
    return opened
  }
  return {
    async slices(tree) {
      const { home } = options.system
      return sliceGate({ nonces: knownNonces(home), roots: [tree.base], home, rules: 'off', ...(await redaction()) })
    },
    files: async () => filesGate((await redaction())?.redact),
  }
}

interface OpenRedaction {
  readonly redact: Redact
  readonly rules: number
}

async function openRedaction({ system, redact, redaction }: GateOptions): Promise<OpenRedaction | undefined> {
  if (!redact) return undefined
  const { version, create } = redaction ?? (await shippedRules())
  return { redact: create(knownSecrets(system)), rules: version }
}

async function shippedRules(): Promise<Redaction> {
  const { createRedactor, RULES_VERSION } = await import('../redaction/redact.ts')
  return { version: RULES_VERSION, create: createRedactor }
}
