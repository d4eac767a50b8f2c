/** The program `memu`: the engine from the command line. */
import type { Io } from './io.ts'
import { addCommit } from './memu/commit.ts'
import { addDemo } from './memu/demo.ts'
import { addDoctor } from './memu/doctor.ts'
import { addListFiles } from './memu/list-files.ts'
import { addReindex } from './memu/reindex.ts'
import { addRestore } from './memu/restore.ts'
import { runProgram } from './program.ts'

const TEXT = {
  name: 'memu',
  description: 'A memory for coding agents that lasts across sessions, agents and machines.',
  epilogue: `
Examples:
  memu retrieve "how do we deploy to staging"
  memu list-files --long
  memu commit payload.json
  memu doctor

Configuration: ~/.memu/config.env, or the file that MEMU_CONFIG_ENV names. The environment goes before the file.
Exit codes: 0 done, 1 failed, 2 used wrongly or refused, 130 interrupted.`,
}

/** Runs `memu` and returns its exit code. */
export function memuProgram(io: Io): Promise<number> {
  const commands = [addListFiles, addCommit, addReindex, addRestore, addDoctor, addDemo]
  return runProgram(
    TEXT,
    io,
    commands.map((add) => (program, exit) => add(program, { io, exit })),
  )
}
