/** A host program `memu-<host>`: everything in it follows from the host's declaration. */
import type { Io } from '../cli/io.ts'
import { runProgram } from '../cli/program.ts'
import { hostSpec } from '../hosts/registry.ts'
import { type AddVerb, hostVerbs } from './host-verbs.ts'
import { addBridge } from './verbs/bridge.ts'
import { addCommit } from './verbs/commit.ts'
import { addDoctor } from './verbs/doctor.ts'
import { addJobDone } from './verbs/job-done.ts'
import { addPrepare } from './verbs/prepare.ts'
import { addVerifyResources } from './verbs/verify-resources.ts'

const VERBS: readonly AddVerb[] = [addBridge, addPrepare, addCommit, addJobDone, addVerifyResources, addDoctor]

/** The commands of the store itself, which all hosts share. */
const OF_MEMU = ['list-files', 'show', 'restore', 'history', 'reindex', 'demo']

/** Runs the program of `host` and returns its exit code. */
export function hostProgram(host: string, io: Io): Promise<number> {
  const spec = hostSpec(host)
  const isAny = spec.sessionDir(io.system) === undefined
  const where = isAny ? ' --session-dir <dir>' : ''
  const finding = isAny ? `\nFinding its sessions:       ${spec.binary} detect` : ''
  const text = {
    name: spec.binary,
    description: `memU for ${spec.title}: learns from its sessions, and recalls what was learned.`,
    elsewhere: {
      ...Object.fromEntries(OF_MEMU.map((command) => [command, `It is a command of the store: memu ${command}`])),
      list: 'It is a command of the store: memu list-files',
    },
    epilogue: `${finding}
Learning, in one command:   ${spec.binary} bridge${where}
In steps:                   ${spec.binary} prepare${where}, then the agent works through jobs/*.txt, then ${spec.binary} commit
Recalling:                  ${spec.binary} retrieve "how do we deploy"
Something is wrong:         ${spec.binary} doctor

Working tree: ${spec.baseDir(io.system)}
Configuration: ~/.memu/config.env, or the file that MEMU_CONFIG_ENV names. The environment goes before the file.
Exit codes: 0 done, 1 failed, 2 used wrongly or refused, 130 interrupted.`,
  }
  return runProgram(
    text,
    io,
    [...VERBS, ...hostVerbs(host)].map((add) => (program, exit) => add(program, { io, spec, exit })),
  )
}
