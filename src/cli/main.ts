/** Where `memu` begins: `retrieve` is told apart before anything else loads. */
import { run } from './run.ts'

export function memuMain(): Promise<void> {
  return run(async (io) => {
    if (io.args[0] === 'retrieve') return (await import('./retrieve.ts')).retrieve('memu', io.args.slice(1), io)
    return (await import('./memu.ts')).memuProgram(io)
  })
}
