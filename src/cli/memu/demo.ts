/** `memu demo`: the whole loop on one screen, in a scratch home. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { Io } from '../io.ts'

export function addDemo(program: Command, { io }: { readonly io: Io }): void {
  program
    .command('demo')
    .description('show the whole loop: sessions in, memory out, five questions answered')
    .option('--sessions <dir>', 'session logs of your own, in place of the demo’s')
    .option('--keep', 'leave the scratch home, and print where it is')
    .addHelpText('after', '\nRuns in a scratch home with the built-in rules, offline; nothing outside of it is touched.')
    .action(async (options: { sessions?: string; keep?: true }) => {
      const { runDemo } = await import('../../demo/run.ts')
      const sessions = options.sessions === undefined ? {} : { sessions: resolve(io.system.cwd, options.sessions) }
      await runDemo({ ...sessions, keep: options.keep === true, colour: io.colour(), signal: io.signal(), out: io.out }, io.system)
    })
}
