/** What a verb of a host program needs. One file a verb, in `verbs/`: options, one call into `bridging/`, the result in print. */
import { resolve } from 'node:path'
import type { BridgingDeps, Problem } from '../bridging/bridging-deps.ts'
import type { Io } from '../cli/io.ts'
import type { SetExitCode } from '../cli/program.ts'
import { loadSettings } from '../config/load.ts'
import type { HostSpec } from '../hosts/host-spec.ts'
import type { MemoryBackend } from '../memory/backend.ts'
import { printable } from '../util/printable.ts'

export interface VerbContext {
  readonly io: Io
  readonly spec: HostSpec
  readonly exit: SetExitCode
}

export const SESSION_DIR = ['--session-dir <dir>', 'read the sessions in this folder alone, in place of the host’s own'] as const
export const BASE_DIR = ['--base-dir <dir>', 'the working tree, in place of the host’s own'] as const
export const JSON_OUTPUT = ['--json', 'print the result as JSON'] as const

/** An option that names a directory, made absolute; absent stays absent. */
export function directory<Name extends string>(
  name: Name,
  value: string | undefined,
  { io }: VerbContext,
): { readonly [key in Name]?: string } {
  return value === undefined ? {} : ({ [name]: resolve(io.system.cwd, value) } as { [key in Name]: string })
}

/**
 * Runs `use` with what the pipeline needs. The engine opens when the pipeline asks for it, and closes at the end; where something
 * was committed, copies of what is no longer so are taken back.
 */
export async function withDeps<Result>({ io, spec }: VerbContext, use: (deps: BridgingDeps) => Promise<Result>): Promise<Result> {
  let opened: Promise<MemoryBackend> | undefined
  let changed = false
  const backend = async (): Promise<MemoryBackend> => {
    const { openBackend } = await import('../memory/open.ts')
    const engine = await openBackend(loadSettings(io.system), io.system)
    return {
      ...engine,
      async commitResults(payload) {
        const receipt = await engine.commitResults(payload)
        changed = true
        return receipt
      },
    }
  }
  try {
    return await use({
      system: io.system,
      spec,
      backend: () => {
        opened ??= backend()
        return opened
      },
    })
  } finally {
    // Where opening failed, `use` has thrown that error already.
    const engine = await opened?.catch(() => undefined)
    if (engine !== undefined && changed) await (await import('../cli/sweep-copies.ts')).sweepCopies(io, engine)
    await engine?.close()
  }
}

/** Problems and notices on stderr, one a line. */
export function tell(io: Io, { problems = [], notices = [] }: { problems?: readonly Problem[]; notices?: readonly string[] }): void {
  for (const notice of notices) io.err(`note: ${printable(notice)}\n`)
  for (const { on, reason } of problems) io.err(`warning: ${printable(on)}: ${printable(reason)}\n`)
}
