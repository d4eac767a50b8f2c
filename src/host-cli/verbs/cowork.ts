/** `cowork verify`: whether the sessions of Claude Cowork are found, and what is made of them. Reads all of them, changes nothing. */
import type { Command } from 'commander'
import type { Counts, CoworkSurvey } from '../../hosts/claude-code/cowork-survey.ts'
import { MemuError } from '../../util/errors.ts'
import { plural } from '../../util/plural.ts'
import { printable } from '../../util/printable.ts'
import { JSON_OUTPUT, tell, type VerbContext } from '../verb.ts'

export function addCowork(program: Command, { io, spec, exit }: VerbContext): void {
  const cowork = program
    .command('cowork')
    .description('look after the sessions of Claude Cowork, which are mined with those of Claude Code')
  cowork
    .command('verify')
    .description('say where Cowork was looked for, which sessions were found, and what their records were taken for')
    .option(...JSON_OUTPUT)
    .addHelpText(
      'after',
      '\nReads every session from its start and changes nothing. MEMU_COWORK_ROOTS names other places; empty, it switches Cowork off.',
    )
    .action(async ({ json }: { json?: true }) => {
      const { surveyCowork } = await import('../../hosts/claude-code/cowork-survey.ts')
      const survey = await surveyCowork(io.system, io.signal())
      const next = nextStep(survey, spec.binary)
      io.out(json ? `${JSON.stringify({ ...survey, next })}\n` : surveyText(survey, next))
      tell(io, survey)
      exit(survey.problems.length > 0 ? 1 : 0)
    })
  cowork.action(() => {
    throw new MemuError('usage', 'cowork wants to know what to do.', { hint: `Run ${spec.binary} cowork verify.`, exit: 2 })
  })
}

function surveyText({ roots, sessions, recognised, leftOut, badLines }: CoworkSurvey, next: string): string {
  const audited = sessions.filter(({ log }) => log === 'audit').length
  const transcripts = sessions.length - audited
  const lines = [
    roots.length === 0 ? 'Cowork is switched off: MEMU_COWORK_ROOTS is empty.' : 'Looked in:',
    ...roots.map(({ path, exists, sessions }) => `  ${printable(path)}: ${exists ? plural(sessions, 'session') : 'not there'}`),
    ...(sessions.length === 0
      ? []
      : [`Sessions: ${sessions.length}, ${audited} read from the audit, ${transcripts} from the transcript inside.`]),
    ...counted('Recognised', recognised),
    ...counted('Left out', leftOut),
    ...(badLines === 0 ? [] : [`Lines that could not be read: ${badLines}.`]),
    `Next: ${next}`,
  ]
  return `${lines.join('\n')}\n`
}

function counted(title: string, counts: Counts): string[] {
  const parts = Object.entries(counts).sort(([, a], [, b]) => b - a)
  return parts.length === 0 ? [] : [`${title}: ${parts.map(([what, count]) => `${printable(what)} ${count}`).join(', ')}.`]
}

/** A sentence, or the command to run. */
function nextStep({ roots, sessions, problems }: CoworkSurvey, binary: string): string {
  const missing = roots.find(({ declared, exists }) => declared && !exists)
  if (missing !== undefined) return 'correct MEMU_COWORK_ROOTS in the environment or the configuration, or unset it.'
  if (problems.length > 0) return 'make readable what could not be read, then run this again.'
  if (sessions.length > 0) return `${binary} bridge`
  if (roots.length === 0) return 'unset MEMU_COWORK_ROOTS to look for Cowork again.'
  return 'use Cowork once, or name the data folder of Claude Desktop in MEMU_COWORK_ROOTS.'
}
