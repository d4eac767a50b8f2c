/** `detect`: which agents are on this machine, and what of memU works with each. */
import { resolve } from 'node:path'
import type { Command } from 'commander'
import { JSON_OUTPUT, type VerbContext } from '../verb.ts'

export function addDetect(program: Command, { io, exit }: VerbContext): void {
  program
    .command('detect')
    .description('find the agents on this machine, and say what works with each')
    .argument('[dir]', 'the folder of one agent, in place of all in the home')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      `
Memorization: memU can learn from the agent's sessions. Retrieval: the agent loads a file that can tell it to recall.
Looks at names and at the beginnings of some files, follows no link, opens no keys, changes nothing.
Exits with 1 where no agent was found.`,
    )
    .action(async (dir: string | undefined, options: { json?: true }) => {
      const { probe, survey } = await import('../../detect/detect.ts')
      const { formatSurvey } = await import('../../detect/format.ts')
      const { system } = io
      const found = dir === undefined ? await survey(system) : await probe(resolve(system.cwd, dir), system)
      io.out(options.json ? `${JSON.stringify(found)}\n` : formatSurvey(found, system.home, io.colour()))
      exit(found.agents.length === 0 ? 1 : 0)
    })
}
