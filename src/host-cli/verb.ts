/** What a verb of a host program needs: the host's declaration, its terminal, its working tree. One file a verb, in `verbs/`. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Layout } from '../bridging/layout.ts'
import { layout } from '../bridging/layout.ts'
import type { Io } from '../cli/io.ts'
import type { SetExitCode } from '../cli/program.ts'
import type { HostSpec } from '../hosts/host-spec.ts'

export interface VerbContext {
  readonly io: Io
  readonly spec: HostSpec
  readonly exit: SetExitCode
}

export type AddVerb = (program: Command, context: VerbContext) => void

/** The host's working tree, or the one that `--base-dir` names. */
export function treeOf({ spec, io }: VerbContext, baseDir: string | undefined): Layout {
  return layout(spec.host, baseDir === undefined ? spec.baseDir(io.system) : resolve(io.system.cwd, baseDir))
}

export const BASE_DIR = ['--base-dir <dir>', 'the working tree, in place of the host’s own'] as const
export const JSON_OUTPUT = ['--json', 'print the result as JSON'] as const
