/** Where a host program begins: `retrieve`, which runs on every prompt, is told apart before anything else loads. */
import { run } from '../cli/run.ts'

/** `host` and `binary` are those of the host's declaration, given here so that `retrieve` need not load it. */
export function hostMain(host: string, binary: string): Promise<void> {
  return run(async (io) => {
    if (io.args[0] === 'retrieve') return (await import('../cli/retrieve.ts')).retrieve(binary, io.args.slice(1), io)
    return (await import('./program.ts')).hostProgram(host, io)
  })
}
