/** Chooses the executor of a run. The only place that does; adapters load when chosen. */
import type { HostSpec } from '../../hosts/host-spec.ts'
import { MemuError } from '../../util/errors.ts'
import { findProgram } from '../../util/find-program.ts'
import type { System } from '../../util/system.ts'
import type { Executor } from '../executor.ts'
import type { Templates } from '../templates.ts'

/** `auto`: the host's own program where it is on PATH, else the built-in rules. */
export const EXECUTOR_CHOICES = ['auto', 'host', 'builtin', 'openai', 'ollama'] as const
export type ExecutorChoice = (typeof EXECUTOR_CHOICES)[number]

export interface ExecutorContext {
  readonly spec: HostSpec
  readonly system: System
  /** A configuration value by its key: `MEMU_EXECUTOR_BASE_URL`, `MEMU_EXECUTOR_MODEL`, `MEMU_EXECUTOR_API_KEY`, proxies. */
  readonly value: (key: string) => string | undefined
  readonly templates?: Templates
  /** For one run of the host's own program, or one answer of an endpoint, in milliseconds. */
  readonly timeoutMs?: number
}

/** Errors: `unknown_executor`, `no_program`, `invalid_config`, all of them with exit 2. */
export async function openExecutor(choice: string, context: ExecutorContext): Promise<Executor> {
  switch (resolve(choice, context)) {
    case 'host':
      return (await import('./host-program.ts')).hostProgramExecutor(context)
    case 'builtin':
      return (await import('./builtin.ts')).builtinExecutor()
    case 'openai':
      return (await import('./endpoint.ts')).endpointExecutor('openai', context)
    case 'ollama':
      return (await import('./endpoint.ts')).endpointExecutor('ollama', context)
  }
}

function resolve(choice: string, { spec, system }: ExecutorContext): Exclude<ExecutorChoice, 'auto'> {
  if (choice === 'auto') return spec.headless !== undefined && findProgram(spec.headless.program, system) !== undefined ? 'host' : 'builtin'
  const known = EXECUTOR_CHOICES.find((name) => name === choice)
  if (known !== undefined && known !== 'auto') return known
  throw new MemuError('unknown_executor', `There is no executor "${choice}".`, {
    hint: `Use one of: ${EXECUTOR_CHOICES.join(', ')}.`,
    exit: 2,
  })
}
