/** The program `memu`: the engine from the command line. */
import { hostCommand } from './host-command.ts'
import type { Io } from './io.ts'
import { addCommit } from './memu/commit.ts'
import { addDemo } from './memu/demo.ts'
import { addDoctor } from './memu/doctor.ts'
import { addHistory } from './memu/history.ts'
import { addListFiles } from './memu/list-files.ts'
import { addReindex } from './memu/reindex.ts'
import { addRestore } from './memu/restore.ts'
import { addShow } from './memu/show.ts'
import { runProgram } from './program.ts'

/** `bridge` and the steps that it consists of are the host programs'. */
const OF_HOSTS = ['bridge', 'prepare', 'job-done', 'verify-resources']

const ELSEWHERE = {
  ...Object.fromEntries(OF_HOSTS.map((verb) => [verb, `${verb} belongs to a host: ${hostCommand(verb)}`])),
  list: 'Did you mean list-files?',
  ls: 'Did you mean list-files?',
  cat: 'Did you mean show?',
  get: 'Did you mean show?',
  search: 'Did you mean retrieve?',
  find: 'Did you mean retrieve?',
  log: 'Did you mean history?',
  undo: 'Did you mean restore?',
  forget: 'memu commit takes a payload that names what to "forget"; memu commit --help shows its form.',
  import: 'memu import comes in a later version.',
}

const TEXT = {
  name: 'memu',
  description: 'A memory for coding agents that lasts across sessions, agents and machines.',
  elsewhere: ELSEWHERE,
  epilogue: `
Examples:
  memu retrieve "how do we deploy to staging"
  memu list-files --long
  memu show memory/preferences
  memu history memory/preferences
  memu commit payload.json
  memu doctor

Configuration: ~/.memu/config.env, or the file that MEMU_CONFIG_ENV names. The environment goes before the file.
Exit codes: 0 done, 1 failed, 2 used wrongly or refused, 130 interrupted.`,
}

/** Runs `memu` and returns its exit code. */
export function memuProgram(io: Io): Promise<number> {
  const commands = [addListFiles, addShow, addCommit, addHistory, addRestore, addReindex, addDoctor, addDemo]
  return runProgram(
    TEXT,
    io,
    commands.map((add) => (program, exit) => add(program, { io, exit })),
  )
}
